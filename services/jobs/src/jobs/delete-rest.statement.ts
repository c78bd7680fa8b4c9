// Deletes what else is stored about deleted jobs.
import { statement } from '@kiln/platform';

/**
 * The log of their runs and their page reservations. $1 are the tenants of the jobs, $2 their ids. It is a separate statement, so that it sees the attempt of a
 * run that ended while the deletion waited for its job.
 */
export const deleteRest = statement(
  'jobs.delete_rest',
  `with gone as materialized (
     select * from unnest($1::uuid[], $2::uuid[]) as gone (tenant_id, job_id)
   ), released as (
     delete from page_reservations r using gone where r.tenant_id = gone.tenant_id and r.job_id = gone.job_id
   )
   delete from job_attempts a using gone
   where a.tenant_id = gone.tenant_id and a.job_id = gone.job_id`,
);
