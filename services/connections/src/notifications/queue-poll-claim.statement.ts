// Claims due polls, round robin by tenant.
import { statement } from '@kiln/platform';

/**
 * Claims up to $1 polls for $2 seconds. $3 and $4 are the number of polls that this worker runs, by tenant; $5 is the maximum for one tenant. The
 * tenant with the fewest comes first, then the poll that has been due for the longest time. A lease that has expired is replaced.
 */
export const claimPolls = statement(
  'queue_polls.claim',
  `with recursive tenants as (
     (select tenant_id from queue_polls where due_at is not null order by tenant_id limit 1)
     union all
     select (select p.tenant_id from queue_polls p where p.due_at is not null and p.tenant_id > t.tenant_id order by p.tenant_id limit 1)
     from tenants t where t.tenant_id is not null
   ), held as (
     select * from unnest($3::uuid[], $4::int[]) as held (tenant_id, polls)
   ), due as (
     select tenants.tenant_id, due.connection_id, due.due_at,
       coalesce(held.polls, 0) + row_number() over (partition by tenants.tenant_id order by due.due_at, due.connection_id) as number
     from tenants
       left join held on held.tenant_id = tenants.tenant_id
       cross join lateral (
         select p.connection_id, p.due_at from queue_polls p where p.tenant_id = tenants.tenant_id and p.due_at <= now()
         order by p.due_at limit $1
       ) due
   ), chosen as materialized (
     select tenant_id, connection_id from due where number <= $5 order by number, due_at, connection_id limit $1
   ), claimed as materialized (
     select p.tenant_id, p.connection_id from queue_polls p join chosen using (tenant_id, connection_id)
     where p.due_at <= now() for update of p skip locked
   )
   update queue_polls p set lease = gen_random_uuid(), due_at = now() + make_interval(secs => $2)
   from claimed where p.tenant_id = claimed.tenant_id and p.connection_id = claimed.connection_id
   returning p.tenant_id, p.connection_id, p.lease, p.failures, p.empty_polls`,
);
