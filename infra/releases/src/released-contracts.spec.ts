// This release beside the one before: each incompatible change of a contract is named, and has a reason.
import * as exported from '@kiln/contracts';
import { describe, expect, it } from '@jest/globals';
import { acceptedChanges } from './accepted-changes.js';
import { compareContracts } from './compare-contracts.js';
import { describeContracts } from './recorded-contracts.js';
import { parseRelease, readLastRelease, writeRelease } from './release-file.js';

const current = describeContracts(exported);
const { contracts: released } = readLastRelease();

describe('the contracts of this release', () => {
  it('have no incompatible change to the last release without a reason, and no reason without a change', () => {
    const accepted = acceptedChanges.flatMap(({ changes }) => changes);
    expect(compareContracts(released, current).toSorted()).toStrictEqual(accepted.toSorted());
  });

  it('are compatible with themselves', () => {
    expect(compareContracts(current, current)).toStrictEqual([]);
  });

  it('are recorded completely', () => {
    const release = { commit: 'a', contracts: current };
    expect(parseRelease(writeRelease(release))).toStrictEqual(release);
    expect(current.operations.size).toBeGreaterThan(100);
    expect(current.events.size).toBeGreaterThan(15);
  });
});
