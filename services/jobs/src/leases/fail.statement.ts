// Ends a run and fails its job.
import { statement } from '@kiln/platform';
import { logAttempt } from './attempt.rows.js';
import { JOB_COLUMNS } from '../jobs/job.rows.js';
import { HELD, CLEAR_LEASE } from './lease.rows.js';
import { setProgress, setReport } from './report.rows.js';

/** $4 is the run's last report, $5 the error. */
export const fail = statement(
  'leases.fail',
  `with failed as (
     update jobs set status = 'failed', error = $5, completed_at = now(), ${CLEAR_LEASE},
       ${setReport('$4::jsonb')}, ${setProgress('$4::jsonb')}
     where ${HELD} returning *
   ), attempt as (${logAttempt(`'failed'`, 'failed')})
   select ${JOB_COLUMNS} from failed`,
);
