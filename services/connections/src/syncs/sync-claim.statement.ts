// Claims due syncs, round robin by tenant.
import { statement } from '@kiln/platform';
import { SYNC_COLUMNS } from './sync.rows.js';

const ACTIVE = `status in ('pending', 'syncing')`;

/**
 * Claims up to $1 syncs for $2 seconds. $3 and $4 are the number of syncs that this worker holds, by tenant; $5 is the maximum for one
 * tenant. The tenant with the fewest comes first, then the tenant that was served longest ago; of its syncs, the one that was due first.
 * The first claim sets `started_at`, with which `seen_at` of nodes is compared. A sync that is still leased has lost its worker. That
 * counts as a failure, so that a sync that crashes its worker ends too.
 */
export const claimSyncs = statement(
  'syncs.claim',
  `with recursive tenants as (
     (select tenant_id from syncs where ${ACTIVE} order by tenant_id limit 1)
     union all
     select (select s.tenant_id from syncs s where s.${ACTIVE} and s.tenant_id > t.tenant_id order by s.tenant_id limit 1)
     from tenants t where t.tenant_id is not null
   ), held as (
     select * from unnest($3::uuid[], $4::int[]) as held (tenant_id, syncs)
   ), due as (
     select tenants.tenant_id, due.id, due.due_at, coalesce(last.served_at, '-infinity') as served_at,
       coalesce(held.syncs, 0) + row_number() over (partition by tenants.tenant_id order by due.due_at, due.id) as number
     from tenants
       left join served_tenants last on last.tenant_id = tenants.tenant_id
       left join held on held.tenant_id = tenants.tenant_id
       cross join lateral (
         select s.id, s.due_at from syncs s where s.tenant_id = tenants.tenant_id and s.${ACTIVE} and s.due_at <= now()
         order by s.due_at, s.id limit $1
       ) due
   ), chosen as materialized (
     select tenant_id, id from due where number <= $5 order by number, served_at, due_at, id limit $1
   ), claimed as materialized (
     select s.tenant_id, s.id from syncs s join chosen using (tenant_id, id)
     where s.${ACTIVE} and s.due_at <= now() for update of s skip locked
   ), served as (
     insert into served_tenants (tenant_id, served_at)
     select tenant_id, clock_timestamp() from (select distinct tenant_id from claimed order by tenant_id) given
     on conflict (tenant_id) do update set served_at = excluded.served_at
   )
   update syncs s
   set status = 'syncing', fence = s.fence + 1, due_at = now() + make_interval(secs => $2), leased = true,
     failures = s.failures + s.leased::int, started_at = coalesce(s.started_at, now())
   from claimed where s.tenant_id = claimed.tenant_id and s.id = claimed.id
   returning ${SYNC_COLUMNS.split(',')
     .map((column) => `s.${column.trim()}`)
     .join(', ')}`,
);
