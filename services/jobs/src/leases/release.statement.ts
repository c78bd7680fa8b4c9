// Ends a run and returns its job to the queue.
import { statement } from '@kiln/platform';
import { logAttempt } from './attempt.rows.js';
import { HELD, CLEAR_LEASE } from './lease.rows.js';
import { setProgress, setReport } from './report.rows.js';
import { makeDue } from '../claims/tenant-queue.rows.js';

/**
 * $4 is the run's last report, $5 its error (null: it was interrupted). The job is due in $6 seconds. $7 is added to its failures, $8 to the
 * attempts that do not count towards the limit on runs. $9: the job waits for the result of an extraction, and is due at once if that has arrived.
 */
export const release = statement(
  'leases.release',
  `with released as (
     update jobs set status = 'queued', error = $5, due_at = case when $9 and extraction ? 'result_key' then now() else now() + make_interval(secs => $6) end,
       failures = failures + $7, attempts_before_retry = attempts_before_retry + $8, ${CLEAR_LEASE},
       ${setReport('$4::jsonb')}, ${setProgress('$4::jsonb')}
     where ${HELD} returning *
   ), attempt as (${logAttempt(`case when error is null then 'interrupted' else 'failed' end`, 'released')})
   ${makeDue('released')}`,
);
