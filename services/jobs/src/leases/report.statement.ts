// Writes the progress of runs.
import { statement } from '@kiln/platform';
import { setProgress, setReport } from './report.rows.js';

/** $1 to $3 name the runs (tenant, job, fencing token), $4 are their reports. A run whose job is locked is skipped until its next report. */
export const report = statement(
  'leases.report',
  `with held as materialized (
     select tenant_id, id, run.report from jobs
       join unnest($1::uuid[], $2::uuid[], $3::int[], $4::jsonb[]) as run (tenant_id, id, fence, report)
       using (tenant_id, id, fence) where worker_id is not null for no key update of jobs skip locked
   )
   update jobs set ${setReport('held.report')}, ${setProgress('held.report')}
   from held where jobs.tenant_id = held.tenant_id and jobs.id = held.id`,
);
