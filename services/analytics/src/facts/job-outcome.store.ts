// Outcomes of jobs, and what they contribute to rollups, in one statement.
import { statement, type Transaction } from '@kiln/platform';
import { groupOutcomes } from '../rollups/grouped-changes.js';
import { applyRollups } from '../rollups/rollups.js';
import type { JobOutcomeEntity } from './job-outcome.entity.js';

export interface JobOutcome extends Omit<JobOutcomeEntity, 'ended_at' | 'is_latest'> {
  /** ISO 8601 */
  ended_at: string;
}

const COLUMNS = [
  'tenant_id',
  'file_id',
  'job_id',
  'fence',
  'status',
  'ended_at',
  'provider',
  'duration_ms',
  'reason',
  'message',
  'filename',
] as const satisfies readonly (keyof JobOutcome)[];

const columns = COLUMNS.join(', ');
const CONTRIBUTING = 'tenant_id, status, ended_at, provider, duration_ms, reason';

/**
 * Outcomes are given by $1 to $11, the columns. One that is known changes nothing. The newest of a job is its state, unless the file was
 * deleted; then the outcome counts in history only, and its text is not kept.
 */
const record = statement(
  'facts.record_outcomes',
  `with given as (
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::timestamptz[], $7::text[], $8::int[],
                          $9::text[], $10::text[], $11::text[]) as given (${columns})
   ), known as materialized (
     select tenant_id, file_id, job_id, max(o.fence) as newest_fence
     from given join job_outcomes o using (tenant_id, file_id, job_id) group by tenant_id, file_id, job_id
   ), placed as (
     select given.*, f.deleted_at is not null as is_deleted,
       f.deleted_at is null and given.fence > coalesce(newest_fence, -1)
         and given.fence = max(given.fence) over (partition by tenant_id, file_id, job_id) as is_latest
     from given left join known using (tenant_id, file_id, job_id) left join file_facts f using (tenant_id, file_id)
   ), added as (
     insert into job_outcomes (${columns}, is_latest)
     select tenant_id, file_id, job_id, fence, status, ended_at, provider, duration_ms, reason,
       case when not is_deleted then message end, case when not is_deleted then filename end, is_latest
     from placed
     on conflict do nothing
     returning ${columns}, is_latest
   ), replaced as (
     update job_outcomes o set is_latest = false
     from added a join known k using (tenant_id, file_id, job_id)
     where a.is_latest and o.is_latest
       and o.tenant_id = a.tenant_id and o.file_id = a.file_id and o.job_id = a.job_id and o.fence = k.newest_fence
     returning o.tenant_id, o.status, o.ended_at, o.provider, o.duration_ms, o.reason
   ), changed as (
     select 1 as counted, is_latest::int as present, ${CONTRIBUTING} from added
     union all
     select 0, -1, ${CONTRIBUTING} from replaced
   ), changes as materialized (${groupOutcomes('changed')}
   ), ${applyRollups('outcomes')}
   select`,
);

/** Safe to repeat, in any order. The transaction holds the lock of all changes. */
export async function recordOutcomes(transaction: Transaction, outcomes: readonly JobOutcome[]): Promise<void> {
  await transaction.query(
    record,
    COLUMNS.map((name) => outcomes.map((outcome) => outcome[name])),
  );
}
