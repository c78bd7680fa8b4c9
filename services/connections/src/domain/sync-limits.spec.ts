import assert from 'node:assert/strict';
import { it } from 'node:test';
import { removesTooMany } from './sync-limits.js';
import { syncFault } from './sync-fault.js';

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
    assert.equal(removesTooMany(removed, before), tooMany, `${removed} of ${before}`);
  }
});

it('a fault that no bucket is to blame for is tried again like one that passes, and shows nothing internal', () => {
  const faults = Array.from({ length: 8 }, (_, failures) => syncFault(new Error('secret detail'), failures));
  assert.deepEqual(
    faults.map(({ retryInSeconds }) => retryInSeconds),
    [1, 2, 4, 8, 16, 30, 30, null],
  );
  for (const { error } of faults) {
    assert.equal(error.code, 'internal');
    assert.doesNotMatch(error.message, /secret/);
  }
});
