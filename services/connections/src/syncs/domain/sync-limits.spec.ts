import { expect, it } from '@jest/globals';
import { removesTooMany } from './sync-limits.js';

it.each([
  [0, 0, false],
  [20, 20, false],
  [21, 21, true],
  [21, 41, true],
  [21, 42, false],
  [500, 1_000, false],
  [501, 1_000, true],
])('removing %i of %i nodes is too much if it is more than 20 and more than half: %s', (removed, before, tooMany) => {
  expect(removesTooMany(removed, before)).toBe(tooMany);
});
