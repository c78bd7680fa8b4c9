// Leases on jobs. Every write of a run states its fence, completing as well as failing: a worker that lost its lease, and
// does not know it yet, changes nothing. Whatever ends a run writes its attempt down in the same statement.
import type { JobError } from '@kiln/contracts';
import { statement, type Database, type Queryable } from '@kiln/platform';
import type { RunStep } from '../domain/run-timeline.js';
import { logAttempt } from './attempt.rows.js';
import { JOB_COLUMNS, type JobRow } from './job.rows.js';
import { logUsage } from './usage.store.js';

/** One run of a job: the fence is what a lease is proven by. */
export interface Lease {
  tenantId: string;
  jobId: string;
  fence: number;
}

/** Names one run among all tenants, jobs and runs of the same job. Fit for a folder name. */
export const leaseKey = (lease: Lease) => `${lease.tenantId}-${lease.jobId}-${lease.fence}`;

const extend = statement(
  'leases.extend',
  `update jobs set lease_expires_at = now() + make_interval(secs => $4)
   from unnest($1::uuid[], $2::uuid[], $3::int[]) as lease (tenant_id, id, fence)
   where jobs.tenant_id = lease.tenant_id and jobs.id = lease.id and jobs.fence = lease.fence
     and jobs.status = 'processing'
   returning jobs.tenant_id, jobs.id, jobs.fence`,
);
const HELD = `tenant_id = $1 and id = $2 and fence = $3 and status = 'processing'`;
const report = statement(
  'leases.report',
  `update jobs set step = $4, progress = $5, provider = $6, run_steps = $7::jsonb where ${HELD}`,
);
const complete = statement(
  'leases.complete',
  `with ended as (
     update jobs set status = 'completed', progress = 1, completed_at = now(), lease_expires_at = null, worker_id = null
     where ${HELD} returning *
   ), attempt as (${logAttempt('completed', 'ended')}
   ), used as (${logUsage('ended')})
   select ${JOB_COLUMNS} from ended`,
);
const fail = statement(
  'leases.fail',
  `with ended as (
     update jobs set status = 'failed', error = $4, completed_at = now(), lease_expires_at = null, worker_id = null
     where ${HELD} returning *
   ), attempt as (${logAttempt('failed', 'ended')})
   select ${JOB_COLUMNS} from ended`,
);
const cancel = statement(
  'leases.cancel',
  `with ended as (
     update jobs set status = 'cancelled', completed_at = now(), lease_expires_at = null, worker_id = null
     where ${HELD} returning *
   ) ${logAttempt('cancelled', 'ended')}`,
);
const release = statement(
  'leases.release',
  `with released as (
     update jobs set status = 'queued', error = $4, failures = failures + $5, lease_expires_at = null,
       worker_id = null, run_after = now() + make_interval(secs => $6),
       attempts_before_retry = attempts_before_retry + $8
     where ${HELD} returning *
   ), attempt as (${logAttempt('$7', 'released')})
   insert into waiting_tenants (tenant_id, due_at) select tenant_id, run_after from released
   on conflict (tenant_id) do update
     set due_at = least(waiting_tenants.due_at, excluded.due_at),
         served_at = least(waiting_tenants.served_at, excluded.due_at)`,
);
/** A tenant's row is touched in the order of ids, so that two of these never wait for each other. */
const reclaim = statement(
  'leases.reclaim',
  `with expired as (
     select tenant_id, id from jobs where status = 'processing' and lease_expires_at < now()
     order by lease_expires_at limit $1 for update skip locked
   ), reclaimed as (
     update jobs j set lost_leases = j.lost_leases + 1, lease_expires_at = null, worker_id = null, run_after = now(),
       status = case when j.lost_leases + 1 < $2 then 'queued' else 'failed' end,
       error = case when j.lost_leases + 1 < $2 then null else $3::jsonb end,
       completed_at = case when j.lost_leases + 1 < $2 then null else now() end
     from expired where j.tenant_id = expired.tenant_id and j.id = expired.id
     returning j.*
   ), attempt as (${logAttempt('interrupted', 'reclaimed', '$4::jsonb')}
   ), queued as (
     insert into waiting_tenants (tenant_id, due_at)
     select distinct tenant_id, now() from reclaimed where status = 'queued' order by tenant_id
     on conflict (tenant_id) do update
       set due_at = least(waiting_tenants.due_at, excluded.due_at),
           served_at = least(waiting_tenants.served_at, excluded.due_at)
   )
   select ${JOB_COLUMNS} from reclaimed`,
);

/** What the timeline says of a run whose lease ran out. */
const WORKER_LOST = { code: 'internal', message: 'The worker stopped answering in the middle of this run.' };

const held = (lease: Lease) => [lease.tenantId, lease.jobId, lease.fence];

export class LeaseStore {
  constructor(
    private readonly database: Database,
    private readonly leaseSeconds: number,
  ) {}

  /** Renews leases; answers those still held, by `leaseKey`. */
  async extend(leases: Lease[]): Promise<Set<string>> {
    const rows = await this.database.query<{ tenant_id: string; id: string; fence: number }>(extend, [
      leases.map((lease) => lease.tenantId),
      leases.map((lease) => lease.jobId),
      leases.map((lease) => lease.fence),
      this.leaseSeconds,
    ]);
    return new Set(rows.map((row) => leaseKey({ tenantId: row.tenant_id, jobId: row.id, fence: row.fence })));
  }

  /** `steps` of this run so far. */
  async report(
    lease: Lease,
    at: { step: string; progress: number; provider: string | null; steps: readonly RunStep[] },
  ): Promise<void> {
    await this.database.query(report, [...held(lease), at.step, at.progress, at.provider, JSON.stringify(at.steps)]);
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

  async cancel(lease: Lease): Promise<void> {
    await this.database.query(cancel, held(lease));
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

  /**
   * Takes jobs from workers that stopped renewing, and answers them: back in the queue, or failed with `error` once they
   * have lost `lostLeasesMax` leases.
   */
  reclaim(
    transaction: Queryable,
    { limit, lostLeasesMax, error }: { limit: number; lostLeasesMax: number; error: JobError },
  ): Promise<JobRow[]> {
    return transaction.query<JobRow>(reclaim, [limit, lostLeasesMax, error, WORKER_LOST]);
  }
}
