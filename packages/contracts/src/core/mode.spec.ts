import { describe, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { findMode, liveTenantOf, modeOf, testTenantOf } from './mode.js';

fc.configureGlobal({ seed: testSeed() });

describe('the mode of a tenant', () => {
  it('follows from its id, and each tenant of an organization leads to the other', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), (live) => {
        const test = testTenantOf(live);
        expect([modeOf(live), modeOf(test)]).toStrictEqual(['live', 'test']);
        expect([liveTenantOf(live), liveTenantOf(test), testTenantOf(test)]).toStrictEqual([live, live, test]);
      }),
    );
  });

  it('is unknown for any other id, never live', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.uuid({ version: [1, 2, 3, 4, 5, 6] })), (other) => {
        expect(findMode(other)).toBeNull();
        for (const ask of [modeOf, liveTenantOf, testTenantOf]) expect(() => ask(other)).toThrow(RangeError);
      }),
    );
  });
});
