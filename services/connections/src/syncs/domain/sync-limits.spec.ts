import { expect, it } from '@jest/globals';
import { removesTooMany } from './sync-limits.js';

it('a removal is too large when it is more than 20 nodes and more than half of them', () => {
  const cases: [removed: number, before: number, tooMany: boolean][] = [
    [0, 0, false],
    [20, 20, false],
    [21, 21, true],
    [21, 41, true],
    [21, 42, false],
    [500, 1_000, false],
    [501, 1_000, true],
  ];
  for (const [removed, before, tooMany] of cases) {
    expect([removed, before, removesTooMany(removed, before)]).toStrictEqual([removed, before, tooMany]);
  }
});
