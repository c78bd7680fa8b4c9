// Completes runs.
import { statement } from '@kiln/platform';
import { CLEAR_LEASE } from './lease.rows.js';
import { setReport } from './report.rows.js';
import { logUsage } from '../organization/pages/usage.store.js';

/**
 * Completes the runs that $1 to $3 name (tenant, job, fencing token) if they still hold their leases, with their events ($4 to $6: id, type,
 * envelope), their last reports ($7) and their pages. Returns the runs that it completed.
 */
const complete = (name: string, lock: string) =>
  statement(
    name,
    `with run as (
       select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::text[], $6::text[], $7::jsonb[])
         as run (tenant_id, id, fence, event_id, type, envelope, report)
     ), held as materialized (
       select run.* from run join jobs using (tenant_id, id, fence) where worker_id is not null ${lock}
     ), completed as (
       update jobs set status = 'completed', progress = 1, completed_at = now(), ${CLEAR_LEASE}, ${setReport('held.report')}
       from held where jobs.tenant_id = held.tenant_id and jobs.id = held.id
       returning jobs.tenant_id, jobs.id, jobs.fence, page_hundredths, event_id, type, envelope
     ), used as (${logUsage('completed')}
     ), events as (
       insert into outbox (id, type, envelope) select event_id, type, envelope from completed
     )
     select tenant_id as "tenantId", id as "jobId", fence from completed`,
    { appendsEvents: true },
  );

/** Skips runs whose job is locked, so that no run waits for a lock of another. */
export const completeMany = complete('completions.many', 'for no key update of jobs skip locked');
export const completeOne = complete('completions.one', 'for no key update of jobs');
