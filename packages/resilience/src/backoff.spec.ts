import { expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { backoff, fullJitter } from './backoff.js';

fc.configureGlobal({ seed: testSeed() });

it('a wait doubles with each failure, up to the maximum', () => {
  const waits = [0, 1, 2, 3, 4, 1_100].map((earlier) => backoff({ first: 3, max: 30 }, earlier));
  expect(waits).toStrictEqual([3, 6, 12, 24, 30, 30]);
  expect(backoff({ first: 8, max: 30, growth: 1.5 }, 2)).toBe(18);
});

it('full jitter is between nothing and the longest wait', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
      const wait = fullJitter(40, () => random);
      expect(wait).toBe(random * 40);
    }),
  );
});
