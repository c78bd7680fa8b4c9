// Claims jobs for a worker.
import { statement } from '@kiln/platform';

/**
 * SQL: the tenants of this round, at most $1: those with jobs in the lane $6, the one served longest ago first. Tenants that another claim has
 * locked, and those of $5, are skipped.
 */
export const TENANTS_OF_ROUND = `waiting as materialized (
     select tenant_id, served_at from waiting_tenants where lane = $6 and due_at <= now() and tenant_id <> all ($5::uuid[])
     order by served_at, tenant_id limit $1 for no key update skip locked
   ), round as materialized (
     select *, ceil($1::numeric / count(*) over ())::int as jobs_each from waiting
   )`;

/** SQL: the order of a tenant's jobs. A job of a batch (priority 1) counts as $4 seconds younger than a single upload. */
export const JOB_ORDER = `job.run_after + job.priority * make_interval(secs => $4), job.id`;

/** SQL: the job was accepted under a plan with a hard limit of pages. */
const IS_LIMITED = `exists (select 1 from page_reservations r where r.tenant_id = jobs.tenant_id and r.job_id = jobs.id)`;

/** SQL: begins runs of the locked jobs in `taken`. $2 is the worker, $3 the seconds of its leases. */
export const BEGIN_RUNS = `claimed as (
     update jobs set status = 'processing', fence = fence + 1, attempts = attempts + 1, error = null,
       worker_id = $2, lease_expires_at = now() + make_interval(secs => $3), started_at = coalesce(started_at, now()),
       run_started_at = now(), run_steps = null
     from taken where jobs.tenant_id = taken.tenant_id and jobs.id = taken.id
     returning jobs.tenant_id, jobs.id, file_id, space, filename, content_type, processing, provider, attempts, failures,
       attempts_before_retry, fence, traceparent, ${IS_LIMITED} as is_limited
   ), served as (
     update waiting_tenants set served_at = statement_timestamp() + counted.jobs * interval '1 microsecond'
     from (select tenant_id, count(*) as jobs from claimed group by tenant_id) counted
     where waiting_tenants.tenant_id = counted.tenant_id and lane = $6
   )`;

/**
 * Claims up to $1 jobs, round robin: one job of each tenant, then a second of each, and so on. It never waits for a lock. Returns a row for
 * each job, and a row without a job for each drained tenant: one that had fewer due jobs than its share.
 */
export const claim = statement(
  'claims.claim',
  `with ${TENANTS_OF_ROUND}, due as materialized (
     select round.*, job.id, row_number() over (partition by round.tenant_id order by ${JOB_ORDER}) as number
     from round cross join (values (0), (1)) as queue (priority) cross join lateral (
       select id, priority, run_after from jobs
       where tenant_id = round.tenant_id and lane = $6 and priority = queue.priority and status = 'queued' and ready and run_after <= now()
       order by run_after, id limit round.jobs_each for no key update skip locked) job
   ), taken as materialized (
     select tenant_id, id from due where number <= jobs_each order by number, served_at, tenant_id limit $1
   ), ${BEGIN_RUNS}
   select drained.tenant_id as drained_tenant_id, claimed.* from claimed full join (
     select tenant_id from round except select tenant_id from due where number = jobs_each
   ) drained on false`,
);
