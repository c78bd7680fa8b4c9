// Leases on jobs. Every write of a run states its fence, completing as well as failing: a worker that lost its lease, and
// does not know it yet, changes nothing.
import type { JobError } from '@kiln/contracts';
import { statement, type Database, type Queryable } from '@kiln/platform';
import { JOB_COLUMNS, type JobRow } from './job.rows.js';

/** One run of a job: the fence is what a lease is proven by. */
export interface Lease {
  tenantId: string;
  jobId: string;
  fence: number;
}

const qualified = (alias: string) =>
  JOB_COLUMNS.split(',')
    .map((column) => `${alias}.${column.trim()}`)
    .join(', ');

/**
 * The next job of the tenant whose turn it is. A tenant whose jobs are all in the future waits until the first is due; one
 * without any leaves the queue. Its row is locked throughout, so that nobody adds a job unseen meanwhile.
 */
const claim = statement(
  'leases.claim',
  `with tenant as (
     select tenant_id from waiting_tenants where due_at <= now()
     order by served_at, tenant_id limit 1 for update skip locked
   ), job as (
     select j.tenant_id, j.id from jobs j join tenant using (tenant_id)
     where j.status = 'queued' and j.ready and j.run_after <= now()
     order by j.run_after, j.id limit 1 for update of j skip locked
   ), claimed as (
     update jobs j
     set status = 'processing', fence = j.fence + 1, attempts = j.attempts + 1, worker_id = $1, error = null,
         lease_expires_at = now() + make_interval(secs => $2), started_at = coalesce(j.started_at, now())
     from job where j.tenant_id = job.tenant_id and j.id = job.id
     returning ${qualified('j')}
   ), upcoming as (
     select tenant_id,
            (select min(j.run_after) from jobs j
             where j.tenant_id = tenant.tenant_id and j.status = 'queued' and j.ready) as due_at
     from tenant where not exists (select 1 from job)
   ), served as (
     update waiting_tenants w set served_at = clock_timestamp()
     from claimed where w.tenant_id = claimed.tenant_id
   ), postponed as (
     update waiting_tenants w set due_at = upcoming.due_at
     from upcoming where w.tenant_id = upcoming.tenant_id and upcoming.due_at is not null
   ), gone as (
     delete from waiting_tenants w using upcoming
     where w.tenant_id = upcoming.tenant_id and upcoming.due_at is null
   )
   select ${JOB_COLUMNS}, false as retry from claimed
   union all
   select tenant_id, null, null, null, null, null, null, null, null, null,
          null, null, null, null, null, null, null, null, null, true from upcoming`,
);
const extend = statement(
  'leases.extend',
  `update jobs set lease_expires_at = now() + make_interval(secs => $4)
   from unnest($1::uuid[], $2::uuid[], $3::int[]) as lease (tenant_id, id, fence)
   where jobs.tenant_id = lease.tenant_id and jobs.id = lease.id and jobs.fence = lease.fence
     and jobs.status = 'processing'
   returning jobs.id`,
);
const HELD = `tenant_id = $1 and id = $2 and fence = $3 and status = 'processing'`;
const report = statement('leases.report', `update jobs set step = $4, progress = $5, provider = $6 where ${HELD}`);
const complete = statement(
  'leases.complete',
  `update jobs set status = 'completed', progress = 1, completed_at = now(), lease_expires_at = null, worker_id = null
   where ${HELD} returning ${JOB_COLUMNS}`,
);
const fail = statement(
  'leases.fail',
  `update jobs set status = 'failed', error = $4, completed_at = now(), lease_expires_at = null, worker_id = null
   where ${HELD} returning ${JOB_COLUMNS}`,
);
const cancel = statement(
  'leases.cancel',
  `update jobs set status = 'cancelled', completed_at = now(), lease_expires_at = null, worker_id = null where ${HELD}`,
);
const release = statement(
  'leases.release',
  `with released as (
     update jobs set status = 'queued', error = $4, failures = failures + $5, lease_expires_at = null,
       worker_id = null, run_after = now() + make_interval(secs => $6)
     where ${HELD} returning tenant_id, run_after)
   insert into waiting_tenants (tenant_id, due_at) select tenant_id, run_after from released
   on conflict (tenant_id) do update set due_at = least(waiting_tenants.due_at, excluded.due_at)`,
);
const reclaim = statement(
  'leases.reclaim',
  `with expired as (
     select tenant_id, id from jobs where status = 'processing' and lease_expires_at < now()
     order by lease_expires_at limit $1 for update skip locked
   ), reclaimed as (
     update jobs j set status = 'queued', lease_expires_at = null, worker_id = null, run_after = now()
     from expired where j.tenant_id = expired.tenant_id and j.id = expired.id
     returning j.tenant_id
   ), queued as (
     insert into waiting_tenants (tenant_id, due_at) select distinct tenant_id, now() from reclaimed order by tenant_id
     on conflict (tenant_id) do update set due_at = least(waiting_tenants.due_at, excluded.due_at)
   )
   select count(*)::int as count from reclaimed`,
);

/**
 * A tenant whose job committed between a claim's snapshot and its lock can lose its place in the queue; this puts it back.
 * Hops from tenant to tenant along the index, so it costs one probe per tenant with work, not per job.
 */
const requeueTenants = statement(
  'leases.requeue_tenants',
  `with recursive tenants as (
     (select tenant_id from jobs where status = 'queued' and ready order by tenant_id limit 1)
     union all
     select (select j.tenant_id from jobs j where j.status = 'queued' and j.ready and j.tenant_id > tenants.tenant_id
             order by j.tenant_id limit 1)
     from tenants where tenants.tenant_id is not null
   )
   insert into waiting_tenants (tenant_id, due_at) select tenant_id, now() from tenants where tenant_id is not null
   on conflict do nothing`,
);

const held = (lease: Lease) => [lease.tenantId, lease.jobId, lease.fence];

export class LeaseStore {
  constructor(
    private readonly database: Database,
    private readonly workerId: string,
    private readonly leaseSeconds: number,
  ) {}

  /** A job to run; 'retry' when the tenant whose turn it was had none due but another may; null when nothing is due. */
  async claim(): Promise<JobRow | 'retry' | null> {
    const [row] = await this.database.query<JobRow & { retry: boolean }>(claim, [this.workerId, this.leaseSeconds]);
    if (!row) return null;
    return row.retry ? 'retry' : row;
  }

  /** Renews leases; answers the ids of those still held. */
  async extend(leases: Lease[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(extend, [
      leases.map((lease) => lease.tenantId),
      leases.map((lease) => lease.jobId),
      leases.map((lease) => lease.fence),
      this.leaseSeconds,
    ]);
    return new Set(rows.map((row) => row.id));
  }

  async report(lease: Lease, at: { step: string; progress: number; provider: string | null }): Promise<void> {
    await this.database.query(report, [...held(lease), at.step, at.progress, at.provider]);
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

  /** Back to the queue, due in `delaySeconds`; `counted` when it was the work's own transient failure. */
  async release(
    lease: Lease,
    again: { error: JobError | null; counted: boolean; delaySeconds: number },
  ): Promise<void> {
    const failures = again.counted ? 1 : 0;
    await this.database.query(release, [...held(lease), again.error, failures, again.delaySeconds]);
  }

  /** Takes jobs from workers that stopped renewing; answers how many. */
  async reclaim(limit: number): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(reclaim, [limit]);
    return row?.count ?? 0;
  }

  async requeueTenants(): Promise<void> {
    await this.database.query(requeueTenants);
  }
}
