// Claims of an installation that limits how many jobs of a tenant, or of a provider, run at a time. They come one after the
// other, each seeing what the one before has begun: so the limits are exact. See claim.statement.ts for claims without limits.
import { statement } from '@kiln/platform';
import { answerClaimed, beginRuns, dueInMs, dueJobs, jobOfDue, JOBS_EACH, TENANTS_IN_TURN } from './claim.statement.js';
import { runningJobs } from './lease.rows.js';

/** Until the end of the transaction; whoever comes after sees what this one has committed. */
export const waitForOtherClaims = statement(
  'capped_claims.wait',
  `select pg_advisory_xact_lock(hashtextextended('jobs.claims', 0))`,
);

/** How far a claim looks past a tenant's jobs whose provider is full, for one whose provider is not. */
const LOOKAHEAD_JOBS = 200;

const due = (priority: 0 | 1) => `select * from (${dueJobs(priority)} limit ${LOOKAHEAD_JOBS}) due_${priority}`;

/**
 * Takes up to $1 jobs, see `beginRuns`, while no more than $9 (null: any number) run for their tenant and no more than the one
 * of $11 for their provider, of those in $10. `full` are tenants that got nothing though a job is due: they
 * are looked at again in a second.
 */
export const cappedClaim = statement(
  'capped_claims.claim',
  `with turn as materialized (
     ${TENANTS_IN_TURN}
   ), share as materialized (
     ${JOBS_EACH}
   ), running as materialized (
     select s.tenant_id, s.provider from ${runningJobs('true')}
   ), provider_room as materialized (
     select cap.provider, cap.jobs_max - (
       select count(*) from running where running.provider = cap.provider) as room
     from unnest($10::text[], $11::int[]) as cap (provider, jobs_max)
   ), tenant_room as materialized (
     select tenant_id, $9::int - (select count(*) from running where running.tenant_id = turn.tenant_id) as room from turn
   ), found as materialized (
     select turn.*, due.* from turn join tenant_room using (tenant_id) cross join lateral (
       select place, id, fence, provider, row_number() over (order by turn_at, id) as number
       from (${due(0)} union all ${due(1)}) due_jobs
       where provider is null or provider not in (select p.provider from provider_room p where p.room <= 0)
       order by turn_at, id limit least((select jobs_each from share), case when tenant_room.room < 0 then 0 else tenant_room.room end)) due
   ), ranked as (
     select *, row_number() over (partition by provider order by is_last, number, served_at, tenant_id) as place_in_provider
     from found
   ), chosen as materialized (
     select tenant_id, id, fence, place from ranked left join provider_room using (provider)
     where room is null or place_in_provider <= room
     order by is_last, number, served_at, tenant_id limit (select $1::int)
   ), taken as materialized (
     select due.tenant_id, due.place, job.job_place from chosen due cross join lateral ${jobOfDue('due.tenant_id')} job
   ), ${beginRuns}
   , clock as materialized (
     select clock_timestamp() as now
   ), passed_over as materialized (
     select tenant_id from turn where tenant_id not in (select tenant_id from taken)
   ), blocked as materialized (
     select tenant_id from passed_over turn where exists (${due(0)}) or exists (${due(1)})
   ), served as (
     update waiting_tenants w
     set served_at = (select now from clock) + coalesce(given.jobs, 0) * interval '1 microsecond',
       due_at = case when blocked.tenant_id is null then w.due_at else (select now from clock) + interval '1 second' end
     from turn
       left join (select tenant_id, count(*) as jobs from taken group by tenant_id) given using (tenant_id)
       left join blocked using (tenant_id)
     where w.tenant_id = turn.tenant_id and (given.jobs > 0 or blocked.tenant_id is not null)
   ), summary as (
     select (select count(*)::int from turn) as tenants,
       array (select tenant_id from passed_over where tenant_id not in (select tenant_id from blocked)) as drained,
       exists (select 1 from blocked)
         or not exists (select 1 from turn) and exists (select 1 from waiting_tenants where due_at <= now()) as busy,
       ${dueInMs} as due_in_ms
   )
   ${answerClaimed}`,
);

/** A tenant with a run less may have room for another job at once. */
export const offerRoom = statement(
  'capped_claims.offer_room',
  `update waiting_tenants set due_at = now() where tenant_id in (
     select tenant_id from waiting_tenants
     where tenant_id = any ($1::uuid[]) and due_at > now() and due_at <= now() + interval '1 second'
     for no key update skip locked)`,
);
