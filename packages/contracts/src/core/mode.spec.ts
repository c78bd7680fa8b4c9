import fc from 'fast-check';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findMode, liveTenantOf, modeOf, testTenantOf } from './mode.js';

describe('the mode of a tenant', () => {
  it('follows from its id, and each tenant of an organization leads to the other', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), (live) => {
        const test = testTenantOf(live);
        assert.deepEqual([modeOf(live), modeOf(test)], ['live', 'test']);
        assert.deepEqual([liveTenantOf(live), liveTenantOf(test), testTenantOf(test)], [live, live, test]);
      }),
    );
  });

  it('is unknown for any other id, never live', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.uuid({ version: [1, 2, 3, 4, 5, 6] })), (other) => {
        assert.equal(findMode(other), null);
        for (const ask of [modeOf, liveTenantOf, testTenantOf]) assert.throws(() => ask(other), RangeError);
      }),
    );
  });
});
