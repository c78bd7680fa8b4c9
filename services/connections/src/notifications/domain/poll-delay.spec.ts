import { expect, it } from '@jest/globals';
import { failedSeconds, idleSeconds } from './poll-delay.js';

it('a queue without messages is read less and less often, and at least twice a minute', () => {
  expect([0, 1, 2, 5, 1_000].map(idleSeconds)).toStrictEqual([1, 2, 4, 30, 30]);
});

it('a queue that fails is read again after a growing time, at least after that of the provider', () => {
  const latest = () => 1;
  expect([0, 1, 20].map((failures) => failedSeconds(failures, 0, latest))).toStrictEqual([2, 4, 300]);
  expect(failedSeconds(20, 0, () => 0)).toBe(150);
  expect(failedSeconds(0, 60, latest)).toBe(60);
});
