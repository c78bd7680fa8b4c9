import { expect, it } from '@jest/globals';
import { attemptsOf, durationText, type TimelineEntry } from './attempts.js';

const entry = (attempt: number, step: TimelineEntry['step']): TimelineEntry => ({
  attempt,
  step,
  provider: null,
  status: 'completed',
  started_at: '2026-11-21 09:30:08',
  ended_at: null,
  duration_ms: null,
  error: null,
});

it('the latest attempt comes first, with its steps in their order', () => {
  const timeline = [entry(1, 'extract'), entry(2, 'extract'), entry(2, 'index'), entry(10, 'finish')];
  expect(attemptsOf(timeline).map(({ number, steps }) => [number, steps.map(({ step }) => step)])).toStrictEqual([
    [10, ['finish']],
    [2, ['extract', 'index']],
    [1, ['extract']],
  ]);
  expect(attemptsOf([])).toStrictEqual([]);
});

it('a duration has the units that fit', () => {
  expect([0, 999, 1_240, 200_000].map(durationText)).toStrictEqual(['0 ms', '999 ms', '1.2 s', '3 min 20 s']);
});
