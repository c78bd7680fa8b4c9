import { expect, it } from '@jest/globals';
import { seenBetween, type Observation } from './observation.js';

const at = (startedAt: number, outcome: string, isServed: boolean): Observation => ({
  kind: 'read',
  startedAt,
  endedAt: startedAt + 1,
  outcome,
  isServed,
});

it('counts failures by what callers saw, and finds the longest time without a served request, also across the ends of the period', () => {
  const observations = [
    at(0, '200', true),
    at(10, '503 UNAVAILABLE', false),
    at(20, '503 UNAVAILABLE', false),
    at(25, '409 CONFLICT', false),
    at(40, '200', true),
    at(45, '200', true),
    at(99, '500', false),
  ];
  expect(seenBetween(observations, 5, 30)).toStrictEqual({
    requests: 3,
    failed: 3,
    failures: [
      ['503 UNAVAILABLE', 2],
      ['409 CONFLICT', 1],
    ],
    longestGapMs: { upload: 0, read: 40, search: 0 },
    slowestMs: 1,
  });
});
