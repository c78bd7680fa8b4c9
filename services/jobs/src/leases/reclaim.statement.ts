// Reclaims jobs whose lease has expired.
import { statement } from '@kiln/platform';
import { logAttempt } from './attempt.rows.js';
import { JOB_COLUMNS } from '../jobs/job.rows.js';
import { CLEAR_LEASE } from './lease.rows.js';
import { makeDue } from '../claims/tenant-queue.rows.js';

/**
 * Returns up to $1 jobs whose lease has expired to the queue. A job that has now lost $2 leases fails with the error $3 instead. $4 is the
 * error of those runs in the timeline. Locked jobs are skipped until the next round. Returns the jobs.
 */
export const reclaim = statement(
  'leases.reclaim',
  `with lost as materialized (
     select tenant_id, id, lost_leases + 1 < $2 as runs_again from jobs
     where lease_expires_at < now()
     order by lease_expires_at limit $1 for no key update skip locked
   ), reclaimed as (
     update jobs set lost_leases = lost_leases + 1, due_at = now(), ${CLEAR_LEASE},
       status = case when runs_again then 'queued' else 'failed' end,
       error = case when runs_again then null else $3::jsonb end,
       completed_at = case when runs_again then null else now() end
     from lost where jobs.tenant_id = lost.tenant_id and jobs.id = lost.id
     returning jobs.*
   ), attempt as (${logAttempt(`'interrupted'`, 'reclaimed', '$4::jsonb')}
   ), due as (${makeDue(`(select * from reclaimed where status = 'queued') as again`)})
   select ${JOB_COLUMNS} from reclaimed`,
);
