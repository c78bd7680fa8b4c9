// Claiming: jobs of the tenants whose turn it is, each under a lease and a higher fence than any before.
import type { Queryable } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import type { CappedClaimStore } from './capped-claim.store.js';
import { claim, type Claimed } from './claim.statement.js';
import type { ClaimedJob } from './job.rows.js';
import type { WorkerLease } from './lease.store.js';
import { TenantQueueStore } from './tenant-queue.store.js';

/**
 * A job to run; 'retry' when the tenant whose turn it was had none due, so that the next one's turn has come; 'busy' when
 * others are at every tenant with work: look again in a moment; 'none' when nothing is due.
 */
export type Claim = ClaimedJob | 'retry' | 'busy' | 'none';

export interface Turn {
  /** To be run; fewer than asked for when no more are due or others are at them. */
  jobs: ClaimedJob[];
  /** Tenants that had fewer jobs due than were asked of them; to be settled. */
  drained: string[];
  /** As many tenants were asked as there were jobs wanted: more may stand behind them. */
  isFull: boolean;
  /** Others are at every tenant with work. */
  busy: boolean;
  /** Milliseconds until another tenant is due, 0 when others are at one that is due; null when none is known. */
  dueInMs: number | null;
}

/** What has changed with a worker since its last turn. */
export interface SinceLastTurn {
  /** Tenants of runs that ended. */
  endedOf?: readonly string[];
  /** Leases all of whose runs ended; they go. */
  over?: readonly WorkerLease[];
  /** Tenants that get what others leave. */
  lastTenants?: readonly string[];
}

export interface ClaimOptions {
  workerId: string;
  leaseSeconds: number;
  /** After which a job of a batch goes before the single uploads of its tenant that came later. */
  batchWaitSeconds: number;
  /** Where limits are set on what runs at a time. */
  capped?: CappedClaimStore | null;
}

export class ClaimStore {
  constructor(
    private readonly database: Queryable,
    private readonly tenants: TenantQueueStore,
    private readonly options: ClaimOptions,
  ) {}

  /** Where limits are set, a job that ends may make room for another of its tenant or provider. */
  get isLimited(): boolean {
    return Boolean(this.options.capped);
  }

  /** Takes up to `jobsMax` jobs, in one round trip unless limits are set. */
  async turn(jobsMax: number, { endedOf = [], over = [], lastTenants = [] }: SinceLastTurn = {}): Promise<Turn> {
    const leaseId = uuidv7();
    const leases = [over.map(({ tenantId }) => tenantId), over.map(({ id }) => id)];
    const { workerId, leaseSeconds, batchWaitSeconds } = this.options;
    const values = [jobsMax, workerId, leaseSeconds, leaseId, ...leases, batchWaitSeconds, lastTenants];
    const [{ processing: summary }, ...claimed] = await this.ask(values, endedOf);
    const jobs = claimed as ClaimedJob[];
    for (const job of jobs) job.lease_id = leaseId;
    const { tenants, drained, busy, due_in_ms: dueInMs } = summary;
    return { jobs, drained, isFull: tenants >= jobsMax, busy, dueInMs };
  }

  private async ask(values: unknown[], endedOf: readonly string[]): Promise<Claimed> {
    const { capped } = this.options;
    const rows = capped
      ? await capped.claim(values, endedOf)
      : await this.database.query<Claimed[number]>(claim, values);
    return rows as Claimed;
  }

  /** Puts tenants away whose jobs have run out. False when one may have a job due after all. */
  settle(drained: readonly string[]): Promise<boolean> {
    return this.tenants.settle(drained);
  }

  async claim(): Promise<Claim> {
    const { jobs, drained, busy } = await this.turn(1);
    if (jobs[0]) return jobs[0];
    if (drained.length === 0) return busy ? 'busy' : 'none';
    return (await this.settle(drained)) ? 'retry' : 'busy';
  }
}
