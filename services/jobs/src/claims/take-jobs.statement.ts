// The second statement of a claim: begins runs of the first due jobs of each picked tenant.
import { statement } from '@kiln/platform';
import type { ClaimedJob } from '../jobs/job.rows.js';

export interface TakenJob extends ClaimedJob {
  priority: 0 | 1;
  /** Seconds since 1970. */
  due_at: number;
}

/** While a provider is full, a claim looks for jobs of other providers among this many of a tenant. */
const LOOKAHEAD_JOBS = 200;

/** SQL: the due jobs of a tenant and a priority, in their order. */
const DUE = `from jobs
       where tenant_id = tenant.tenant_id and lane = $3 and priority = queue.priority and status = 'queued' and ready and due_at <= now()
       and due_at >= to_timestamp(coalesce(case queue.priority when 0 then tenant.singles_from else tenant.batches_from end, '-infinity'))`;

const SOME_FULL = 'exists (select 1 from provider_room where room = 0)';

/** SQL: whether the job was accepted under a plan with a hard limit of pages. */
const IS_LIMITED = `exists (select 1 from page_reservations r where r.tenant_id = jobs.tenant_id and r.job_id = jobs.id)`;

/**
 * Takes jobs of the lane $3 from the tenants $1, of each at most its share in $2, under leases of the worker $4 for $5 seconds. A job of a
 * batch (priority 1) counts as $6 seconds younger than a single upload. Of each provider in $7 it takes at most the number of jobs in $8,
 * round robin over the tenants in their order. Jobs that another transaction has locked are left out. It begins to read the single uploads of each tenant
 * at $9, its jobs of batches at $10 (seconds since 1970; null: at the first). $11 are the locked rows of the tenants: by their key, every former version of the
 * row would be found as well, as long as a transaction keeps an old snapshot. Returns the jobs.
 */
export const takeJobs = statement(
  'claims.take_jobs',
  `with tenant as (
     select * from unnest($1::uuid[], $2::int[], $9::float8[], $10::float8[], $11::tid[]) with ordinality
       as tenant (tenant_id, share, singles_from, batches_from, row, position)
   ), provider_room as materialized (
     select * from unnest($7::text[], $8::int[]) as provider_room (provider, room)
   ), due as materialized (
     select tenant.*, job.id, job.provider,
       row_number() over (partition by tenant.tenant_id order by job.due_at + job.priority * make_interval(secs => $6), job.id) as number
     from tenant cross join (values (0), (1)) as queue (priority) left join lateral (
       select due_at, id ${DUE} and ${SOME_FULL} order by due_at, id offset ${LOOKAHEAD_JOBS} limit 1
     ) beyond on true cross join lateral (
       select id, priority, due_at, provider ${DUE} and (due_at, id) < (coalesce(beyond.due_at, 'infinity'), beyond.id)
         and coalesce(provider, '') <> all (array(select provider from provider_room where room = 0))
       order by due_at, id limit tenant.share for no key update skip locked) job
   ), ranked as (
     select *, row_number() over (partition by provider order by number, position) as number_of_provider from due where number <= share
   ), taken as materialized (
     select tenant_id, id from ranked left join provider_room using (provider) where room is null or number_of_provider <= room
   ), claimed as (
     update jobs set status = 'processing', fence = fence + 1, attempts = attempts + 1, error = null,
       worker_id = $4, lease_expires_at = now() + make_interval(secs => $5), started_at = coalesce(started_at, now()),
       run_started_at = now(), run_steps = null
     from taken where jobs.tenant_id = taken.tenant_id and jobs.id = taken.id
     returning jobs.tenant_id, jobs.id, file_id, space, filename, content_type, processing, provider, attempts, failures,
       attempts_before_retry, fence, traceparent, priority, extract(epoch from due_at)::float8 as due_at, ${IS_LIMITED} as is_limited
   ), served as (
     update waiting_tenants set served_at = statement_timestamp() + counted.jobs * interval '1 microsecond'
     from (select row, count(*) as jobs from claimed join tenant using (tenant_id) group by row) counted
     where waiting_tenants.ctid = counted.row
   )
   select * from claimed`,
);
