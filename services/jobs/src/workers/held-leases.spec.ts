import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClaimedJob } from '../store/job.rows.js';
import { HeldLeases } from './held-leases.js';

const job = (tenant: string, lease: string) => ({ tenant_id: tenant, lease_id: lease }) as ClaimedJob;
const idsOf = (leases: readonly { id: string }[]) => leases.map(({ id }) => id);

describe('the leases of a worker', () => {
  it('are held until the last run under them has ended, each for its own tenant', () => {
    const leases = new HeldLeases();
    const [first, second] = [leases.begin(job('a', '1')), leases.begin(job('a', '1'))];
    const other = leases.begin(job('b', '1'));
    const later = leases.begin(job('a', '2'));
    leases.end(first);
    assert.deepEqual(leases.takeOver(), []);
    leases.end(second);
    leases.end(other);
    assert.deepEqual(
      leases.takeOver().map(({ tenantId, id }) => [tenantId, id]),
      [
        ['a', '1'],
        ['b', '1'],
      ],
    );
    assert.deepEqual(leases.takeOver(), [], 'each is let go of once');
    leases.end(later);
    assert.deepEqual(idsOf(leases.takeOver()), ['2']);
  });

  it('that could not be let go of come again', () => {
    const leases = new HeldLeases();
    leases.end(leases.begin(job('a', '1')));
    leases.putBack(leases.takeOver());
    leases.end(leases.begin(job('a', '2')));
    assert.deepEqual(idsOf(leases.takeOver()), ['1', '2']);
  });

  it('under which a run was not settled are never let go of: its job is found when they run out', () => {
    const leases = new HeldLeases();
    const [settled, unsettled] = [leases.begin(job('a', '1')), leases.begin(job('a', '1'))];
    unsettled.isUnsettled = true;
    leases.end(unsettled);
    leases.end(settled);
    assert.deepEqual(leases.takeOver(), []);
  });
});
