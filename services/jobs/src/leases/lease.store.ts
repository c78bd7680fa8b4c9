// Leases on jobs. Every write of a run names its fencing token, completing as well as failing: a worker that has lost its lease without
// noticing changes nothing. The statement that ends a run also logs its attempt.
import type { JobError } from '@kiln/contracts';
import { nextDueInMs, nextDueStatement, type Database, type Queryable } from '@kiln/platform';
import type { RunReport } from '../runs/domain/run-report.js';
import { cancel, cancelledJob, type CancelledRow } from './cancel.statement.js';
import { extend } from './extend.statement.js';
import { fail } from './fail.statement.js';
import type { JobRow } from '../jobs/job.rows.js';
import { reclaim } from './reclaim.statement.js';
import { release } from './release.statement.js';
import { report } from './report.statement.js';
import { reportValue } from './report.rows.js';

/** One run of a job, by its fencing token. */
export interface Lease {
  tenantId: string;
  jobId: string;
  fence: number;
}

/** Unique among all runs of all tenants. Safe as a folder name. */
export const leaseKey = (lease: Lease) => `${lease.tenantId}-${lease.jobId}-${lease.fence}`;

const nextEnd = nextDueStatement('leases.next_end', 'select min(lease_expires_at) from jobs');
/** The timeline shows this error for a run whose lease expired. */
const WORKER_LOST = { code: 'internal', message: 'The worker stopped answering in the middle of this run.' };

const held = (lease: Lease) => [lease.tenantId, lease.jobId, lease.fence];

/** The first three values of a statement about many runs. */
export const leaseColumns = (leases: readonly Lease[]) => [
  leases.map(({ tenantId }) => tenantId),
  leases.map(({ jobId }) => jobId),
  leases.map(({ fence }) => fence),
];

export class LeaseStore {
  constructor(
    private readonly database: Database,
    private readonly leaseSeconds: number,
  ) {}

  /** Renews the leases of these runs. Returns the `leaseKey` of each run that still holds its lease. */
  async extend(runs: readonly Lease[]): Promise<Set<string>> {
    return new Set(
      (await this.database.query<Lease>(extend, [...leaseColumns(runs), this.leaseSeconds])).map(leaseKey),
    );
  }

  /** Writes the progress of many runs at once. */
  async report(runs: readonly { lease: Lease; report: RunReport }[]): Promise<void> {
    const leases = leaseColumns(runs.map(({ lease }) => lease));
    await this.database.query(report, [...leases, runs.map((run) => reportValue(run.report))]);
  }

  /** Returns the failed job, or null when the lease is lost. */
  async fail(
    transaction: Queryable,
    lease: Lease,
    error: JobError,
    report: RunReport | null = null,
  ): Promise<JobRow | null> {
    const [row] = await transaction.query<JobRow>(fail, [...held(lease), reportValue(report), error]);
    return row ?? null;
  }

  /** Returns the cancelled job with its new fencing token, or null when the lease is lost. */
  async cancel(transaction: Queryable, lease: Lease, report: RunReport | null = null): Promise<JobRow | null> {
    const [found] = await transaction.query<CancelledRow>(cancel, [...held(lease), reportValue(report)]);
    return cancelledJob(found);
  }

  /**
   * Returns the job to the queue, due in `delaySeconds`. `counted`: it was a transient failure of the run's own work. Without an error the run
   * was interrupted. `forgiven`: the run does not count towards the limit on runs. `awaitsExtraction`: a result that has arrived makes the job
   * due at once.
   */
  async release(
    lease: Lease,
    again: {
      error: JobError | null;
      counted: boolean;
      delaySeconds: number;
      forgiven?: boolean;
      awaitsExtraction?: boolean;
    },
    report: RunReport | null = null,
  ): Promise<void> {
    const [failures, forgiven] = [again.counted ? 1 : 0, again.forgiven ? 1 : 0];
    const { error, delaySeconds, awaitsExtraction = false } = again;
    const values = [...held(lease), reportValue(report), error, delaySeconds, failures, forgiven, awaitsExtraction];
    await this.database.query(release, values);
  }

  /** Milliseconds until the next lease expires unless it is renewed. Null when there is no lease. */
  nextEndInMs(): Promise<number | null> {
    return nextDueInMs(this.database, nextEnd);
  }

  /**
   * Reclaims up to `limit` jobs whose lease has expired, and returns them: queued again, or failed with `error` once they have lost
   * `lostLeasesMax` leases.
   */
  reclaim(
    transaction: Queryable,
    { limit, lostLeasesMax, error }: { limit: number; lostLeasesMax: number; error: JobError },
  ): Promise<JobRow[]> {
    return transaction.query<JobRow>(reclaim, [limit, lostLeasesMax, error, WORKER_LOST]);
  }
}
