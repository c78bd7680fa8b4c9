// Claims jobs while a tenant or a provider may only have so many running. Such claims run one after the other, so limits are exact.
import { statement } from '@kiln/platform';
import { BEGIN_RUNS, TENANTS_OF_ROUND, JOB_ORDER } from './claim.statement.js';

/** How many of a tenant's jobs a claim examines to find one whose provider is not full. */
const LOOKAHEAD_JOBS = 200;

/**
 * Like `claim`, but at most $7 jobs of a tenant (null: any number) run at a time, and of each provider in $8 at most the number in $9.
 * A tenant whose due jobs did not fit is due again in a second, and is not returned as drained.
 */
export const cappedClaim = statement(
  'capped_claims.claim',
  `with ${TENANTS_OF_ROUND}, running as materialized (
     select tenant_id, provider from jobs where lease_expires_at is not null
   ), full_provider_room as materialized (
     select cap.provider, cap.jobs_max - (select count(*) from running where running.provider = cap.provider) as room
     from unnest($8::text[], $9::int[]) as cap (provider, jobs_max)
   ), due as materialized (
     select round.*, job.id, job.priority, job.run_after, job.provider,
       $7::int - (select count(*) from running where running.tenant_id = round.tenant_id) as tenant_room
     from round cross join (values (0), (1)) as queue (priority) cross join lateral (
       select id, priority, run_after, provider from jobs
       where tenant_id = round.tenant_id and lane = $6 and priority = queue.priority and status = 'queued' and ready and run_after <= now()
       order by run_after, id limit ${LOOKAHEAD_JOBS}) job
   ), fitting as materialized (
     select job.*, room, row_number() over (partition by tenant_id order by ${JOB_ORDER}) as number
     from due job left join full_provider_room using (provider) where room is null or room > 0
   ), ranked as (
     select *, row_number() over (partition by provider order by number, served_at, tenant_id) as number_of_provider
     from fitting where number <= least(jobs_each, coalesce(tenant_room, jobs_each))
   ), chosen as materialized (
     select tenant_id, id from ranked where number_of_provider <= coalesce(room, number_of_provider)
     order by number, served_at, tenant_id limit $1
   ), taken as materialized (
     select jobs.tenant_id, jobs.id from chosen join jobs using (tenant_id, id) where status = 'queued'
     for no key update of jobs skip locked
   ), ${BEGIN_RUNS}, passed_over as (
     update waiting_tenants set due_at = now() + interval '1 second', served_at = statement_timestamp()
     where lane = $6 and tenant_id in (select tenant_id from due except select tenant_id from taken)
   )
   select drained.tenant_id as drained_tenant_id, claimed.* from claimed full join (
     select tenant_id from round except select tenant_id from due
   ) drained on false`,
);

/** A run of these tenants has ended: there may be room for another of their jobs. */
export const offerRoom = statement(
  'capped_claims.offer_room',
  `update waiting_tenants set due_at = now() where (tenant_id, lane) in (
     select tenant_id, lane from waiting_tenants
     where tenant_id = any ($1::uuid[]) and due_at > now() and due_at <= now() + interval '1 second'
     for no key update skip locked)`,
);
