// Leases on jobs. Every write of a run states its fence, completing as well as failing: a worker that lost its lease, and
// does not know it yet, changes nothing. Whatever ends a run writes its attempt down in the same statement.
import type { JobError } from '@kiln/contracts';
import { nextDueInMs, nextDueStatement, statement, type Database, type Queryable } from '@kiln/platform';
import type { RunStep } from '../domain/run-timeline.js';
import { logAttempt } from './attempt.rows.js';
import { JOB_COLUMNS, type JobRow } from './job.rows.js';
import { freeLeases, letGoOfLeases } from './lease.rows.js';
import { reclaim } from './reclaim.statement.js';
import { enterEnded, enterQueue } from './stage.rows.js';
import { logUsage } from './usage.store.js';

/** On what a worker took of a tenant's jobs at once. */
export interface WorkerLease {
  tenantId: string;
  id: string;
}

/** One run of a job: the fence is what it proves by that the job is its own. */
export interface Lease {
  tenantId: string;
  jobId: string;
  fence: number;
}

/** And the lease that keeps others from the job. */
export interface LeasedRun extends Lease {
  leaseId: string;
}

/** Names one run among all tenants, jobs and runs of the same job. Fit for a folder name. */
export const leaseKey = (lease: Lease) => `${lease.tenantId}-${lease.jobId}-${lease.fence}`;

/**
 * Renews leases ($5 and $6) for $4 seconds; answers those of the runs $1 to $3 that go on. A lease that somebody is at has run
 * out: its runs count as held until he has taken their jobs, and the next renewal will show.
 */
const extend = statement(
  'leases.extend',
  `with renewed as (
     update worker_leases set expires_at = now() + make_interval(secs => $4)
     where ctid = any (array (${freeLeases('$5', '$6')}))
   )
   select given.tenant_id, given.id, given.fence
   from unnest((select $1::uuid[]), (select $2::uuid[]), (select $3::int[])) as given (tenant_id, id, fence)
   cross join lateral (
     select 1 from jobs j where j.tenant_id = given.tenant_id and j.id = given.id and j.fence = given.fence
       and j.status = 'processing' limit 1) held`,
);
/** There are as many leases as tenants whose jobs are running, of each worker. */
const nextEnd = nextDueStatement('leases.next_end', 'select min(expires_at) from worker_leases');
const letGo = statement('leases.let_go', letGoOfLeases('$1', '$2'));
const HELD = `tenant_id = $1 and id = $2 and fence = $3 and status = 'processing'`;
const report = statement(
  'leases.report',
  `update jobs set step = $4, progress = $5, provider = $6, run_steps = $7::jsonb, content_type = coalesce($8, content_type)
   where ${HELD}`,
);
const complete = statement(
  'leases.complete',
  `with ended as (
     update jobs set status = 'completed', progress = 1, completed_at = now()
     where ${HELD} returning *
   ), filed as (${enterEnded('ended')}
   ), used as (${logUsage('ended')})
   select ${JOB_COLUMNS} from ended`,
);
const fail = statement(
  'leases.fail',
  `with ended as (
     update jobs set status = 'failed', error = $4, completed_at = now()
     where ${HELD} returning *
   ), filed as (${enterEnded('ended')}
   ), attempt as (${logAttempt('failed', 'ended')})
   select ${JOB_COLUMNS} from ended`,
);
const cancel = statement(
  'leases.cancel',
  `with ended as (
     update jobs set status = 'cancelled', fence = fence + 1, completed_at = now()
     where ${HELD} returning *
   ), filed as (${enterEnded('ended')}
   ), attempt as (${logAttempt('cancelled', 'ended')})
   select ${JOB_COLUMNS} from ended`,
);
const release = statement(
  'leases.release',
  `with released as (
     update jobs set status = 'queued', error = $4, failures = failures + $5,
       run_after = now() + make_interval(secs => $6), attempts_before_retry = attempts_before_retry + $8
     where ${HELD} returning *
   ), queued as (${enterQueue('released')}
   ), attempt as (${logAttempt('$7', 'released')})
   insert into waiting_tenants (tenant_id, due_at) select tenant_id, run_after from released
   on conflict (tenant_id) do update
     set due_at = least(waiting_tenants.due_at, excluded.due_at),
         served_at = least(waiting_tenants.served_at, excluded.due_at)`,
);
/** What the timeline says of a run whose lease ran out. */
const WORKER_LOST = { code: 'internal', message: 'The worker stopped answering in the middle of this run.' };

/** How far a run is, and what it has found out about its file. */
export interface RunReport {
  step: string;
  progress: number;
  provider: string | null;
  contentType: string | null;
  steps: readonly RunStep[];
}

const held = (lease: Lease) => [lease.tenantId, lease.jobId, lease.fence];

export class LeaseStore {
  constructor(
    private readonly database: Database,
    private readonly leaseSeconds: number,
  ) {}

  /** Renews the leases of these runs; answers the runs still held, by `leaseKey`. */
  async extend(runs: readonly LeasedRun[]): Promise<Set<string>> {
    const leases = [...new Map(runs.map((run) => [`${run.tenantId}-${run.leaseId}`, run])).values()];
    const rows = await this.database.query<{ tenant_id: string; id: string; fence: number }>(extend, [
      runs.map((run) => run.tenantId),
      runs.map((run) => run.jobId),
      runs.map((run) => run.fence),
      this.leaseSeconds,
      leases.map((run) => run.tenantId),
      leases.map((run) => run.leaseId),
    ]);
    return new Set(rows.map((row) => leaseKey({ tenantId: row.tenant_id, jobId: row.id, fence: row.fence })));
  }

  /** All of their runs have ended. */
  async letGo(leases: readonly WorkerLease[]): Promise<void> {
    await this.database.query(letGo, [leases.map(({ tenantId }) => tenantId), leases.map(({ id }) => id)]);
  }

  /** `steps` of this run so far. */
  async report(lease: Lease, { step, progress, provider, contentType, steps }: RunReport): Promise<void> {
    await this.database.query(report, [...held(lease), step, progress, provider, JSON.stringify(steps), contentType]);
  }

  /** The completed job, or null when the lease is lost. */
  async complete(transaction: Queryable, lease: Lease): Promise<JobRow | null> {
    const [row] = await transaction.query<JobRow>(complete, held(lease));
    return row ?? null;
  }

  /** The failed job, or null when the lease is lost. */
  async fail(transaction: Queryable, lease: Lease, error: JobError): Promise<JobRow | null> {
    const [row] = await transaction.query<JobRow>(fail, [...held(lease), error]);
    return row ?? null;
  }

  /** The cancelled job under its next fence, or null when the lease is lost. */
  async cancel(transaction: Queryable, lease: Lease): Promise<JobRow | null> {
    const [row] = await transaction.query<JobRow>(cancel, held(lease));
    return row ?? null;
  }

  /**
   * Back to the queue, due in `delaySeconds`; `counted` when it was the work's own transient failure. Without an error the
   * run was interrupted, and did not fail. One that is `forgiven` does not count towards the limit on runs.
   */
  async release(
    lease: Lease,
    again: { error: JobError | null; counted: boolean; delaySeconds: number; forgiven?: boolean },
  ): Promise<void> {
    const failures = again.counted ? 1 : 0;
    const status = again.error === null ? 'interrupted' : 'failed';
    const forgiven = again.forgiven ? 1 : 0;
    const values = [...held(lease), again.error, failures, again.delaySeconds, status, forgiven];
    await this.database.query(release, values);
  }

  /** Milliseconds until the next lease ends, unless it is renewed; null when there is none. */
  nextEndInMs(): Promise<number | null> {
    return nextDueInMs(this.database, nextEnd);
  }

  /**
   * Takes the jobs of up to `limit` leases from workers that stopped renewing, and answers them: back in the queue, or failed with
   * `error` once they have lost `lostLeasesMax` leases.
   */
  reclaim(
    transaction: Queryable,
    { limit, lostLeasesMax, error }: { limit: number; lostLeasesMax: number; error: JobError },
  ): Promise<JobRow[]> {
    return transaction.query<JobRow>(reclaim, [limit, lostLeasesMax, error, WORKER_LOST]);
  }
}
