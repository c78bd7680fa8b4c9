// Leases on jobs. Every write of a run states its fence, completing as well as failing: a worker that lost its lease, and
// does not know it yet, changes nothing. Whatever ends a run writes its attempt down in the same statement.
import type { JobError } from '@kiln/contracts';
import { statement, type Database, type Queryable } from '@kiln/platform';
import type { RunStep } from '../domain/run-timeline.js';
import { logAttempt } from './attempt.rows.js';
import { JOB_COLUMNS, type JobRow } from './job.rows.js';
import { endLease, enterEnded, enterQueue, stageIs } from './stage.rows.js';
import { logUsage } from './usage.store.js';

/** One run of a job: the fence is what a lease is proven by. */
export interface Lease {
  tenantId: string;
  jobId: string;
  fence: number;
}

/** Names one run among all tenants, jobs and runs of the same job. Fit for a folder name. */
export const leaseKey = (lease: Lease) => `${lease.tenantId}-${lease.jobId}-${lease.fence}`;

/** A lease that somebody is at counts as held: he is about to end it, and the next renewal will show. */
const extend = statement(
  'leases.extend',
  `with known as materialized (
     select l.ctid as place, l.tenant_id, l.id, l.fence
     from unnest($1::uuid[], $2::uuid[], $3::int[]) as given (tenant_id, id, fence)
     cross join lateral (
       select ctid, * from job_leases where tenant_id = given.tenant_id and id = given.id and fence = given.fence limit 1) l
   ), free as materialized (
     select free.place from known cross join lateral (
       select ctid as place from job_leases where ctid = known.place for update skip locked) free
   ), renewed as (
     update job_leases set expires_at = now() + make_interval(secs => $4) where ctid = any (array (select place from free))
   )
   select tenant_id, id, fence from known`,
);
const HELD = `tenant_id = $1 and id = $2 and fence = $3 and status = 'processing'`;
const report = statement(
  'leases.report',
  `update jobs set step = $4, progress = $5, provider = $6, run_steps = $7::jsonb where ${HELD}`,
);
const complete = statement(
  'leases.complete',
  `with ended as (
     update jobs set status = 'completed', ${stageIs('completed')}, progress = 1, completed_at = now()
     where ${HELD} returning *
   ), let_go as (${endLease('ended')}
   ), filed as (${enterEnded('ended')}
   ), used as (${logUsage('ended')})
   select ${JOB_COLUMNS} from ended`,
);
const fail = statement(
  'leases.fail',
  `with ended as (
     update jobs set status = 'failed', ${stageIs('failed')}, error = $4, completed_at = now()
     where ${HELD} returning *
   ), let_go as (${endLease('ended')}
   ), filed as (${enterEnded('ended')}
   ), attempt as (${logAttempt('failed', 'ended')})
   select ${JOB_COLUMNS} from ended`,
);
const cancel = statement(
  'leases.cancel',
  `with ended as (
     update jobs set status = 'cancelled', ${stageIs('cancelled')}, completed_at = now()
     where ${HELD} returning *
   ), let_go as (${endLease('ended')}
   ), filed as (${enterEnded('ended')})
   ${logAttempt('cancelled', 'ended')}`,
);
const release = statement(
  'leases.release',
  `with released as (
     update jobs set status = 'queued', ${stageIs('queued')}, error = $4, failures = failures + $5,
       run_after = now() + make_interval(secs => $6), attempts_before_retry = attempts_before_retry + $8
     where ${HELD} returning *
   ), let_go as (${endLease('released')}
   ), queued as (${enterQueue('released')}
   ), attempt as (${logAttempt('$7', 'released')})
   insert into waiting_tenants (tenant_id, due_at) select tenant_id, run_after from released
   on conflict (tenant_id) do update
     set due_at = least(waiting_tenants.due_at, excluded.due_at),
         served_at = least(waiting_tenants.served_at, excluded.due_at)`,
);
/** A tenant's row is touched in the order of ids, so that two of these never wait for each other. */
const reclaim = statement(
  'leases.reclaim',
  `with expired as materialized (
     select tenant_id, id, fence from job_leases where expires_at < now() order by expires_at limit $1 for update skip locked
   ), lost as materialized (
     select job.place from expired cross join lateral (
       select ctid as place, status from jobs where tenant_id = expired.tenant_id and id = expired.id and fence = expired.fence
       limit 1 for no key update skip locked) job
     where job.status = 'processing'
   ), reclaimed as (
     update jobs set lost_leases = lost_leases + 1, lease_expires_at = null, worker_id = null, run_after = now(),
       status = case when lost_leases + 1 < $2 then 'queued' else 'failed' end,
       stage = case when lost_leases + 1 < $2 then 'queued' else 'failed' end,
       error = case when lost_leases + 1 < $2 then null else $3::jsonb end,
       completed_at = case when lost_leases + 1 < $2 then null else now() end
     where ctid = any (array (select place from lost))
     returning *
   ), let_go as (${endLease('reclaimed')}
   ), again as (${enterQueue(`(select * from reclaimed where status = 'queued') as run`)}
   ), filed as (${enterEnded(`(select * from reclaimed where status = 'failed') as run`)}
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
