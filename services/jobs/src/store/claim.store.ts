// Claiming: jobs of the tenants whose turn it is, each under a lease and a higher fence than any before; and in the same
// breath the end of the runs that have completed since.
import type { OutboxRow, Queryable } from '@kiln/platform';
import type { CappedClaimStore } from './capped-claim.store.js';
import type { JobRow } from './job.rows.js';
import type { Lease } from './lease.store.js';
import { TenantQueueStore } from './tenant-queue.store.js';
import { turn } from './turn.statement.js';

/**
 * A job to run; 'retry' when the tenant whose turn it was had none due, so that the next one's turn has come; 'busy' when
 * others are at every tenant with work: look again in a moment; 'none' when nothing is due.
 */
export type Claim = JobRow | 'retry' | 'busy' | 'none';

/** A run that did its work, and the event that is true once that is written down. */
export interface FinishedRun {
  lease: Lease;
  event: OutboxRow;
}

export interface Turn<Run extends FinishedRun> {
  /** To be run; fewer than asked for when no more are due or others are at them. */
  jobs: JobRow[];
  /** Runs that were not written down: their lease is lost, or somebody is at their job. */
  missed: Run[];
  /** Tenants that had fewer jobs due than were asked of them; to be settled. */
  drained: string[];
  /** Others are at every tenant with work. */
  busy: boolean;
}

interface Summary {
  missed: number[];
  drained: string[];
  busy: boolean;
}
type Answer = { summary: Summary | null } & ({ id: null } | JobRow);

/** As PostgreSQL writes an array whose elements need no quotes. The driver looks at each character of each element. */
const arrayOf = (elements: readonly (string | number)[]) => `{${elements.join()}}`;

export class ClaimStore {
  constructor(
    private readonly database: Queryable,
    private readonly tenants: TenantQueueStore,
    private readonly workerId: string,
    private readonly leaseSeconds: number,
    /** Where limits are set on what runs at a time. */
    private readonly capped: CappedClaimStore | null = null,
  ) {}

  /** Ends `finished` runs and takes up to `jobsMax` jobs, in one round trip unless limits are set. All of it or nothing. */
  async turn<Run extends FinishedRun>(finished: readonly Run[], jobsMax: number): Promise<Turn<Run>> {
    const rows =
      this.capped && jobsMax > 0
        ? await this.cappedTurn(this.capped, finished, jobsMax)
        : await this.query(this.database, finished, jobsMax);
    const { missed = [], drained = [], busy = false } = rows[0]?.summary ?? {};
    const numbers = new Set(missed);
    return {
      jobs: rows.filter((row) => row.id !== null),
      missed: finished.filter((_run, index) => numbers.has(index + 1)),
      drained,
      busy,
    };
  }

  private async cappedTurn(
    capped: CappedClaimStore,
    finished: readonly FinishedRun[],
    jobsMax: number,
  ): Promise<Answer[]> {
    const endedOf = [...new Set(finished.map(({ lease }) => lease.tenantId))].sort();
    const end = (on: Queryable) => (finished.length === 0 ? Promise.resolve([]) : this.query(on, finished, 0));
    const claim = { jobsMax, workerId: this.workerId, leaseSeconds: this.leaseSeconds, endedOf };
    const { ended, rows } = await capped.claimAfter<Answer[], Answer>(end, claim);
    const [first, ...others] = rows;
    if (!first?.summary) return rows;
    return [{ ...first, summary: { ...first.summary, missed: ended[0]?.summary?.missed ?? [] } }, ...others];
  }

  private query(on: Queryable, finished: readonly FinishedRun[], jobsMax: number): Promise<Answer[]> {
    return on.query<Answer>(turn, [
      arrayOf(finished.map(({ lease }) => lease.tenantId)),
      arrayOf(finished.map(({ lease }) => lease.jobId)),
      arrayOf(finished.map(({ lease }) => lease.fence)),
      arrayOf(finished.map(({ event }) => event.id)),
      arrayOf(finished.map(({ event }) => event.type)),
      finished.map(({ event }) => event.envelope).join('\n'),
      jobsMax,
      this.workerId,
      this.leaseSeconds,
    ]);
  }

  /** Puts tenants away whose jobs have run out. False when one may have a job due after all. */
  settle(drained: readonly string[]): Promise<boolean> {
    return this.tenants.settle(drained);
  }

  async claim(): Promise<Claim> {
    const { jobs, drained, busy } = await this.turn([], 1);
    if (jobs[0]) return jobs[0];
    if (drained.length === 0) return busy ? 'busy' : 'none';
    return (await this.settle(drained)) ? 'retry' : 'busy';
  }
}
