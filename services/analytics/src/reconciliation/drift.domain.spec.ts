import { expect, it } from '@jest/globals';
import { addDrift, isEqual, noDrift } from './drift.domain.js';

it('differences of two tenants add up, in whichever direction they are', () => {
  const zero = noDrift();
  const first = addDrift(zero, { ...zero, failed: 3 }, { ...zero, failed: 1, jobs: 4 });
  const both = addDrift(first, { ...zero, failed: 1 }, { ...zero, failed: 3 });
  expect(both).toStrictEqual({ ...zero, failed: 4, jobs: 4 });
  expect([isEqual(zero, noDrift()), isEqual(zero, both)]).toStrictEqual([true, false]);
});
