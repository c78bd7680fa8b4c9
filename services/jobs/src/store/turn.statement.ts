// What a worker asks for, over and over: "these runs have completed; give me so many jobs". One statement, one commit.
import { statement } from '@kiln/platform';
import { logAttempt } from './attempt.rows.js';
import { jobColumns } from './job.rows.js';
import { logUsage } from './usage.store.js';

/** By index, in the order in which they are to run; a row that somebody else is at is left to him. */
const dueJobs = (priority: number) => `select place from (
  select ctid as place from jobs
  where tenant_id = turn.tenant_id and status = 'queued' and ready and priority = ${priority} and run_after <= now()
  order by run_after, id limit (select jobs_each from share) for update skip locked) due_${priority}`;

/**
 * Ends the runs given by $1 to $6 (tenant, job, fence, and id, type and envelope of the event that says so; envelopes are JSON,
 * which has no raw line end, and are divided by them), each only under its own fence, with its attempt, its pages and its event.
 * Then takes up to $7 jobs for worker $8, leased for $9 seconds: one from each
 * tenant in turn, then a second from each, and so on.
 *
 * Nothing in here waits for a lock: a run whose row is locked counts as `missed`, and its worker ends it by itself.
 * Rows are found one by one by an index and changed by their place: no plan reads the table, whatever is known of its size.
 * The answer's first row also holds `missed` (numbers from 1), `drained` (tenants with fewer jobs due than they were asked
 * for) and `busy` (others are at every tenant with work).
 */
export const turn = statement(
  'claims.turn',
  `with run as materialized (
     select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::text[], string_to_array($6, E'\\n'))
       with ordinality as run (tenant_id, id, fence, event_id, event_type, envelope, number)
   ), held as materialized (
     select job.place from run cross join lateral (
       select ctid as place, status from jobs where tenant_id = run.tenant_id and id = run.id and fence = run.fence
       limit 1 for no key update skip locked) job
     where job.status = 'processing'
   ), completed as (
     update jobs set status = 'completed', progress = 1, completed_at = now(), lease_expires_at = null, worker_id = null
     where ctid = any (array (select place from held))
     returning tenant_id, id, fence, attempts, started_at, run_started_at, run_steps, error, page_hundredths
   ), attempt as (${logAttempt('completed', 'completed')}
   ), used as (${logUsage('completed')}
   ), event as (
     insert into outbox (id, type, envelope)
     select event_id, event_type, envelope from run join completed using (tenant_id, id, fence)
   ), turn as materialized (
     select tenant_id, served_at from waiting_tenants where due_at <= now() and $7::int > 0
     order by served_at, tenant_id limit $7::int for no key update skip locked
   ), share as materialized (
     select ceil($7::numeric / count(*))::int as jobs_each from turn having count(*) > 0
   ), found as materialized (
     select turn.tenant_id, turn.served_at, due.place, due.number from turn cross join lateral (
       select place, row_number() over () as number
       from (${dueJobs(0)} union all ${dueJobs(1)}) by_priority limit (select jobs_each from share)) due
   ), taken as materialized (
     select tenant_id, place from found order by number, served_at, tenant_id limit $7::int
   ), claimed as (
     update jobs j
     set status = 'processing', fence = j.fence + 1, attempts = j.attempts + 1, worker_id = $8, error = null,
       lease_expires_at = now() + make_interval(secs => $9), started_at = coalesce(j.started_at, now()),
       run_started_at = now(), run_steps = null
     where ctid = any (array (select place from taken))
     returning ${jobColumns('j')}
   ), clock as materialized (
     select clock_timestamp() as now
   ), served as (
     update waiting_tenants w set served_at = (select now from clock) + jobs * interval '1 microsecond'
     from (select tenant_id, count(*) as jobs from taken group by tenant_id) given
     where w.tenant_id = given.tenant_id and w.tenant_id = any (array (select tenant_id from taken))
   ), summary as (
     select array (select number::int from run where not exists (
                     select 1 from completed c where c.tenant_id = run.tenant_id and c.id = run.id and c.fence = run.fence)) as missed,
       array (select turn.tenant_id from turn left join found using (tenant_id) group by turn.tenant_id
              having count(found.place) < (select jobs_each from share)) as drained,
       $7 > 0 and not exists (select 1 from turn)
         and exists (select 1 from waiting_tenants where due_at <= now()) as busy
   )
   select case when row_number() over () = 1 then (select to_jsonb(summary) from summary) end as summary,
     ${jobColumns('claimed')}
   from (values (1)) one left join claimed on true`,
);
