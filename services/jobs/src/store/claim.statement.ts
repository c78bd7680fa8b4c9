// What a worker asks for, over and over: give me so many jobs.
import { statement } from '@kiln/platform';
import type { ClaimedJob } from './job.rows.js';
import { letGoOfLeases } from './lease.rows.js';

/** What a run needs to know of its job, as `ClaimedJob` has it, but for the id of its lease, which the worker knows. */
const CLAIMED_COLUMNS = `tenant_id, id, file_id, space, filename, content_type, processing, provider, attempts, failures,
  attempts_before_retry, fence`;

/**
 * SQL: the tenants that are asked for up to $1 jobs. Those in $8 are asked as well, after all others: they hold all sandboxes of
 * this worker but one.
 */
export const TENANTS_IN_TURN = `select tenant_id, served_at, false as is_last from (
     select tenant_id, served_at from waiting_tenants where due_at <= now() and tenant_id <> all ($8::uuid[])
     order by served_at, tenant_id limit (select $1::int) for no key update skip locked) others
   union all select tenant_id, served_at, true from (
     select tenant_id, served_at from waiting_tenants where due_at <= now() and tenant_id = any ($8::uuid[])
     order by tenant_id for no key update skip locked) holders`;

/** SQL: how many jobs each tenant of `turn` is asked for. */
export const JOBS_EACH = `select ceil($1::numeric / greatest(1, count(*) filter (where not is_last)))::int as jobs_each
     from turn having count(*) > 0`;

/**
 * SQL: jobs of the tenant of `turn` that are due, the first of them first. Single uploads go before a batch (priority 1) until its
 * jobs have waited for $7 seconds: `turn_at` is the time that counts.
 */
export const dueJobs = (priority: 0 | 1) => `select ctid as place, id, fence, provider,
    run_after + make_interval(secs => ${priority} * $7::float8) as turn_at from queued_jobs
  where tenant_id = turn.tenant_id and ready and priority = ${priority} and run_after <= now() order by run_after, id`;

/**
 * SQL: the row of the job of `due`, locked: who has it may take the job out of the queue. One that somebody else is at is left to
 * him. Rows are found one by one by an index: no plan reads a table, whatever is known of its size.
 */
export const jobOfDue = (tenantId: string) => `(
  select place as job_place from (
    select ctid as place, status, fence from jobs where tenant_id = ${tenantId} and id = due.id
    limit 1 for no key update skip locked) job
  where job.status = 'queued' and job.fence = due.fence)`;

/**
 * The end of a statement that claims: begins runs of the jobs in `taken` (tenant_id, place and job_place, locked), which are
 * changed by their place. $2 is the worker, $3 the seconds of its leases, $4 the id of each of them: one for each tenant. Leases
 * that it needs no longer, given by $5 and $6, go.
 */
export const beginRuns = `dequeued as (
     delete from queued_jobs where ctid = any (array (select place from taken))
   ), claimed as (
     update jobs j
     set status = 'processing', fence = j.fence + 1, attempts = j.attempts + 1, error = null,
       started_at = coalesce(j.started_at, now()), run_started_at = now(), run_steps = null
     where ctid = any (array (select job_place from taken))
     returning ${CLAIMED_COLUMNS}
   ), leased as (
     insert into worker_leases (tenant_id, id, worker_id, expires_at, job_ids, fences)
     select tenant_id, $4::uuid, $2::text, now() + make_interval(secs => $3), array_agg(id), array_agg(fence)
     from claimed group by tenant_id
   ), let_go as (${letGoOfLeases('$5', '$6')}
   )`;

interface Summary {
  tenants: number;
  drained: string[];
  busy: boolean;
  due_in_ms: number | null;
}

/** The first row of the answer, the summary in the place of a job's `processing`; then `claimed`. */
export type Claimed = [{ id: null; processing: Summary }, ...Omit<ClaimedJob, 'lease_id'>[]];

/** The driver takes as long for a column as for the run of a job: so the summary has none of its own. */
export const answerClaimed = `select null::uuid as tenant_id, null::uuid as id, null::uuid as file_id, null as space, null as filename,
     null as content_type, (select to_jsonb(summary) from summary) as processing, null as provider, null::int as attempts,
     null::int as failures, null::int as attempts_before_retry, null::int as fence
   union all select * from claimed`;

/** How many jobs of a tenant, which somebody else is at, a claim looks past. */
const PASSED_MAX = 10;

const lockedJobs = (priority: 0 | 1) => `select * from (
  select due.id, due.turn_at, due.place, job.job_place from (
    ${dueJobs(priority)} limit (select jobs_each + ${PASSED_MAX} from share)) due
  cross join lateral ${jobOfDue('turn.tenant_id')} job limit (select jobs_each from share)) due_${priority}`;

/**
 * SQL: milliseconds until a tenant is due that was not in `turn`; 0 when others are at one that is due. Null when there is none, or
 * when the claim got all it asked for.
 */
export const dueInMs = `case when (select count(*) from taken) < $1 then (
       select ceil(extract(epoch from greatest(min(due_at), now()) - now()) * 1000)::int8 from waiting_tenants
       where tenant_id not in (select tenant_id from turn) having count(*) > 0) end`;

/**
 * Takes up to $1 jobs, see `beginRuns`: one from each tenant in turn, then a second from each, and so on; see `TENANTS_IN_TURN`.
 * Nothing in here waits for a lock, and the plan is the same for any number of jobs: the planner doesn't see it, so that it makes
 * one plan for good, which takes longer than a claim. The answer's first row also holds `drained` (tenants with fewer jobs due than they were
 * asked for), `tenants` (how many were asked), `busy` (others are at every tenant with work) and `due_in_ms` (see `dueInMs`).
 */
export const claim = statement(
  'claims.claim',
  `with turn as materialized (
     ${TENANTS_IN_TURN}
   ), share as materialized (
     ${JOBS_EACH}
   ), found as materialized (
     select turn.*, due.place, due.job_place, due.number from turn cross join lateral (
       select place, job_place, row_number() over (order by turn_at, id) as number
       from (${lockedJobs(0)} union all ${lockedJobs(1)}) due_jobs
       order by turn_at, id limit (select jobs_each from share)) due
   ), asked as materialized (
     select tenant_id, count(found.place)::int as jobs from turn left join found using (tenant_id) group by tenant_id
   ), taken as materialized (
     select tenant_id, place, job_place from found
     order by is_last, number, served_at, tenant_id limit (select $1::int)
   ), ${beginRuns}
   , clock as materialized (
     select clock_timestamp() as now
   ), served as (
     update waiting_tenants w set served_at = (select now from clock) + jobs * interval '1 microsecond'
     from (select tenant_id, count(*) as jobs from taken group by tenant_id) given
     where w.tenant_id = given.tenant_id and w.tenant_id = any (array (select tenant_id from asked))
   ), summary as (
     select (select count(*)::int from asked) as tenants,
       array (select tenant_id from asked where jobs < (select jobs_each from share)) as drained,
       not exists (select 1 from turn) and exists (select 1 from waiting_tenants where due_at <= now()) as busy,
       ${dueInMs} as due_in_ms
   )
   ${answerClaimed}`,
);
