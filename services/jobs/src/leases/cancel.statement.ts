// Cancels a job.
import { statement } from '@kiln/platform';
import { logAttempt } from './attempt.rows.js';
import { JOB_COLUMNS, type JobRow } from '../jobs/job.rows.js';
import { CLEAR_LEASE } from './lease.rows.js';
import { setProgress, setReport } from './report.rows.js';

/**
 * Cancels the job $1, $2 unless it has ended. It raises the fencing token, so that later writes of a run change nothing. $3 is null, or the
 * fencing token of the only run that may be cancelled; $4 is that run's last report. Returns the status before, and the job if it was cancelled.
 */
export const cancel = statement(
  'jobs.cancel',
  `with found as materialized (
     select tenant_id, id, status as was from jobs where tenant_id = $1 and id = $2 for no key update
   ), cancelled as (
     update jobs set status = 'cancelled', fence = fence + 1, error = null, completed_at = now(), ${CLEAR_LEASE},
       ${setReport('$4::jsonb')}, ${setProgress('$4::jsonb')}
     from found where jobs.tenant_id = found.tenant_id and jobs.id = found.id
       and (was = 'processing' and fence = coalesce($3::int, fence) or was = 'queued' and $3::int is null)
     returning jobs.*, was
   ), attempt as (${logAttempt(`'cancelled'`, `(select * from cancelled where was = 'processing') as run`)})
   select was, cancelled.* from found left join (select ${JOB_COLUMNS} from cancelled) cancelled using (tenant_id, id)`,
);

/** `status` is null when the job is unchanged. */
export type CancelledRow = { was: JobRow['status'] } & (JobRow | { status: null });

/** The cancelled job; null when it is unchanged. */
export const cancelledJob = (row: CancelledRow | undefined): JobRow | null =>
  row === undefined || row.status === null ? null : row;
