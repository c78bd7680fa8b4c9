// Renews leases.
import { statement } from '@kiln/platform';

/**
 * Renews the leases of the runs that $1 to $3 name (tenant, job, fencing token) for $4 seconds. Returns the runs that still hold theirs. A run
 * whose job is locked counts as held, but is not renewed until the next heartbeat.
 */
export const extend = statement(
  'leases.extend',
  `with held as materialized (
     select tenant_id, id, fence from jobs join unnest($1::uuid[], $2::uuid[], $3::int[]) as run (tenant_id, id, fence)
       using (tenant_id, id, fence) where worker_id is not null
   ), unlocked as materialized (
     select tenant_id, id from jobs join held using (tenant_id, id, fence) where worker_id is not null
     for no key update of jobs skip locked
   ), renewed as (
     update jobs set lease_expires_at = now() + make_interval(secs => $4)
     from unlocked where jobs.tenant_id = unlocked.tenant_id and jobs.id = unlocked.id
   )
   select tenant_id as "tenantId", id as "jobId", fence from held`,
);
