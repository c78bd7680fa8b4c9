// The leases under which this worker runs jobs: one for all that it took of a tenant at once, held until the last of these runs
// has ended.
import type { ClaimedJob } from '../store/job.rows.js';
import type { WorkerLease } from '../store/lease.store.js';

export interface HeldLease extends WorkerLease {
  /** Runs that have not ended. */
  runs: number;
  /** A run could not be settled: to everybody else its job is still ours, until the lease runs out. */
  isUnsettled: boolean;
}

export class HeldLeases {
  /** Of each tenant the one taken last. */
  private readonly latest = new Map<string, HeldLease>();
  private over: WorkerLease[] = [];

  /** A run begins. Jobs that were taken at once have to begin at once. */
  begin({ tenant_id: tenantId, lease_id: id }: ClaimedJob): HeldLease {
    let held = this.latest.get(tenantId);
    if (held?.id !== id) this.latest.set(tenantId, (held = { tenantId, id, runs: 0, isUnsettled: false }));
    held.runs++;
    return held;
  }

  end(held: HeldLease): void {
    if (--held.runs > 0) return;
    if (this.latest.get(held.tenantId) === held) this.latest.delete(held.tenantId);
    if (!held.isUnsettled) this.over.push(held);
  }

  /** Leases to let go of. If that fails, `putBack` keeps them for the next time; one that is forgotten runs out by itself. */
  takeOver(): WorkerLease[] {
    return this.over.splice(0);
  }

  putBack(leases: readonly WorkerLease[]): void {
    this.over.push(...leases);
  }
}
