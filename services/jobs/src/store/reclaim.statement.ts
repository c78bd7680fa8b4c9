// What takes jobs from workers that stopped renewing their leases.
import { statement } from '@kiln/platform';
import { logAttempt } from './attempt.rows.js';
import { JOB_COLUMNS } from './job.rows.js';
import { enterEnded, enterQueue } from './stage.rows.js';

/**
 * The jobs of up to $1 leases that have run out go back to the queue, or fail with $3 once they have lost $2; $4 is what the
 * timeline says of those runs.
 * A lease goes once nobody is at one of its jobs any more: what a statement passes over, the next one finds. A tenant's row is
 * touched in the order of ids, so that two of these never wait for each other.
 */
export const reclaim = statement(
  'leases.reclaim',
  `with expired as materialized (
     select ctid as lease, tenant_id, job_ids, fences from worker_leases where expires_at < now()
     order by expires_at limit (select $1::int) for update skip locked
   ), held as materialized (
     select expired.lease, job.place from expired
     cross join lateral unnest(expired.job_ids, expired.fences) as run (id, fence)
     cross join lateral (
       select ctid as place, status from jobs
       where tenant_id = expired.tenant_id and id = run.id and fence = run.fence limit 1) job
     where job.status = 'processing'
   ), lost as materialized (
     select job.place from held cross join lateral (
       select ctid as place, status from jobs where ctid = held.place limit 1 for no key update skip locked) job
     where job.status = 'processing'
   ), over as (
     delete from worker_leases where ctid = any (array (
       select lease from expired
       where lease not in (select lease from held where place not in (select place from lost))))
   ), reclaimed as (
     update jobs set lost_leases = lost_leases + 1, run_after = now(),
       status = case when lost_leases + 1 < $2 then 'queued' else 'failed' end,
       error = case when lost_leases + 1 < $2 then null else $3::jsonb end,
       completed_at = case when lost_leases + 1 < $2 then null else now() end
     where ctid = any (array (select place from lost))
     returning *
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
