// Where a job stands: queued and ended ones have a narrow table each, so that a change of the status leaves the wide row's indexes
// alone; of those that run, leases tell. These are the parts of the statements that change a status: `source` holds rows of `jobs` after the change.
//
// A statement sees what was there when it began. One that may wait for the row of a job, and then finds it changed, would
// miss what that change wrote here: it locks the row by a statement of its own before (job-change.store.ts).
import type { JobRow } from './job.rows.js';
import { runningJobs } from './lease.rows.js';

export const enterQueue = (source: string) =>
  `insert into queued_jobs (tenant_id, created_at, id, fence, space, provider, priority, ready, run_after)
   select tenant_id, created_at, id, fence, space, provider, priority, ready, run_after from ${source}`;

export const leaveQueue = (source: string) =>
  `delete from queued_jobs stood using ${source} as moved
   where stood.tenant_id = moved.tenant_id and stood.created_at = moved.created_at and stood.id = moved.id`;

export const enterEnded = (source: string) =>
  `insert into ended_jobs (tenant_id, status, created_at, id, space, ended_at)
   select tenant_id, status, created_at, id, space, completed_at from ${source}`;

/** `was` is the status that the jobs had ended with. */
export const leaveEnded = (source: string, was: 'failed') =>
  `delete from ended_jobs stood using ${source} as moved
   where stood.tenant_id = moved.tenant_id and stood.status = '${was}'
     and stood.created_at = moved.created_at and stood.id = moved.id`;

/** SQL: rows `s` with the tenant, space, time of creation and id of the jobs of a status; $1 is the tenant. Ends in a condition. */
export const standing = (status: JobRow['status']): string => {
  if (status === 'queued') return 'queued_jobs s where true';
  if (status === 'processing') {
    return `${runningJobs('l.tenant_id = $1')} where true`;
  }
  return `ended_jobs s where s.status = '${status}'`;
};
