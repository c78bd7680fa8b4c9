// Claims due jobs, round robin over tenants, each under a new lease and a higher fencing token.
import type { Queryable } from '@kiln/platform';
import type { Lane } from './lane.domain.js';
import type { CappedClaimStore } from './capped-claim.store.js';
import { claim } from './claim.statement.js';
import type { ClaimRow, ClaimedJob } from '../jobs/job.rows.js';
import type { TenantQueueStore } from './tenant-queue.store.js';

export interface Claimed {
  /** Fewer than requested when no more are due, or when another transaction has locked them. */
  jobs: ClaimedJob[];
  /** Tenants that had fewer due jobs than their share; see `removeIdle`. */
  drained: string[];
}

/** What has changed in a worker since its last claim. */
export interface SinceLastClaim {
  /** Tenants whose runs ended. */
  endedOf?: readonly string[];
  /** Tenants that are served only after all others. */
  lastTenants?: readonly string[];
}

export interface ClaimOptions {
  workerId: string;
  lane: Lane;
  leaseSeconds: number;
  /** Seconds after which a job of a batch goes before later single uploads of its tenant. */
  batchWaitSeconds: number;
  /** Set when the number of running jobs is limited. */
  capped?: CappedClaimStore | null;
}

export class ClaimStore {
  constructor(
    private readonly database: Queryable,
    private readonly tenants: TenantQueueStore,
    private readonly options: ClaimOptions,
  ) {}

  /** With limits, a run that ends may make room for another job of its tenant or provider. */
  get isLimited(): boolean {
    return Boolean(this.options.capped);
  }

  /** Claims up to `jobsMax` jobs. */
  async claim(jobsMax: number, { endedOf = [], lastTenants = [] }: SinceLastClaim = {}): Promise<Claimed> {
    const first = await this.take(jobsMax, lastTenants, endedOf);
    const left = jobsMax - first.jobs.length;
    if (left === 0 || lastTenants.length === 0) return first;
    const second = await this.take(left, [], []);
    return { jobs: [...first.jobs, ...second.jobs], drained: [...new Set([...first.drained, ...second.drained])] };
  }

  /** Claims up to `jobsMax` jobs of other tenants than these. */
  claimExcept(jobsMax: number, tenantIds: readonly string[]): Promise<Claimed> {
    return this.take(jobsMax, tenantIds, []);
  }

  /** Removes drained tenants from the queue of tenants. False when one of them may have a due job after all. */
  removeIdle(drained: readonly string[]): Promise<boolean> {
    return this.tenants.removeIdle(this.options.lane, drained);
  }

  /** Milliseconds until a tenant other than these is due. 0: one is due, but another transaction has locked it. Null: none is waiting. */
  nextDueInMs(except: readonly string[]): Promise<number | null> {
    return this.tenants.nextDueInMs(this.options.lane, except);
  }

  private async take(jobsMax: number, skipped: readonly string[], endedOf: readonly string[]): Promise<Claimed> {
    const { workerId, lane, leaseSeconds, batchWaitSeconds, capped } = this.options;
    const values = [jobsMax, workerId, leaseSeconds, batchWaitSeconds, skipped, lane];
    const rows = capped ? await capped.claim(values, endedOf) : await this.database.query<ClaimRow>(claim, values);
    const drained = rows.map((row) => row.drained_tenant_id).filter((tenantId) => tenantId !== null);
    return { jobs: rows.filter((row) => row.drained_tenant_id === null), drained };
  }
}
