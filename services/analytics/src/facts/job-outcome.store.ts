// Outcomes of jobs, and what they contribute to rollups, in one statement.
import { statement, type Transaction } from '@kiln/platform';
import { groupOutcomes, groupRuns } from '../rollups/grouped-changes.domain.js';
import { applyRollups } from '../rollups/rollups.statements.js';
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
 * Set-based, and in one statement with the rollups. $1 to $11 are the columns of the outcomes. $12 says whether the batch contains no newer
 * run of the same job. A known outcome changes nothing. The newest outcome of a job is the state of the job. If the file was deleted, the
 * outcome counts in history only, and its text is not stored.
 */
const record = statement(
  'facts.record_outcomes',
  `with given as (
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::timestamptz[], $7::text[], $8::int[],
                          $9::text[], $10::text[], $11::text[], $12::boolean[]) as given (${columns}, is_newest)
   ), accepted as materialized (
     select new.*, not is_deleted and is_newest and fence > coalesce(known_fence, -1) as is_latest
     from (
       select given.*, job.*, exists (
         select from file_facts f
         where f.tenant_id = given.tenant_id and f.file_id = given.file_id and f.deleted_at is not null) as is_deleted
       from given cross join lateral (
         select bool_or(o.fence = given.fence) as is_known, max(o.fence) filter (where is_latest) as known_fence,
           max(o.status) filter (where is_latest) as known_status
         from job_outcomes o
         where o.tenant_id = given.tenant_id and o.file_id = given.file_id and o.job_id = given.job_id) job
     ) new where is_known is not true
   ), added as (
     insert into job_outcomes (${columns}, is_latest)
     select tenant_id, file_id, job_id, fence, status, ended_at, provider, duration_ms, reason,
       case when not is_deleted then message end, case when not is_deleted then filename end, is_latest
     from accepted
   ), replaced as (
     update job_outcomes o set is_latest = false
     from accepted a where a.is_latest and known_fence is not null
       and o.tenant_id = a.tenant_id and o.file_id = a.file_id and o.job_id = a.job_id and o.fence = known_fence
   ), changed as (
     select 1 as counted, is_latest::int as present, ${CONTRIBUTING} from accepted
     union all
     select 0, -1, tenant_id, known_status, null, null, null, null from accepted where is_latest and known_fence is not null
   ), outcome_changes as materialized (${groupOutcomes('changed')}
   ), run_changes as materialized (${groupRuns('changed')}
   ), ${applyRollups('outcome_changes', 'run_changes')}
   select`,
);

/** Safe to repeat, in any order. The transaction holds the lock of all changes. */
export async function recordOutcomes(transaction: Transaction, given: readonly JobOutcome[]): Promise<void> {
  const jobs = outcomesByJob(given);
  const outcomes = jobs.flat();
  await transaction.query(record, [
    ...COLUMNS.map((name) => outcomes.map((outcome) => outcome[name])),
    jobs.flatMap((ofJob) => ofJob.map((_, index) => index === 0)),
  ]);
}

/** Groups the outcomes by job, the newest first, each once. */
function outcomesByJob(outcomes: readonly JobOutcome[]): JobOutcome[][] {
  const jobs = new Map<string, JobOutcome[]>();
  for (const outcome of outcomes) {
    const job = `${outcome.tenant_id} ${outcome.job_id}`;
    const ofJob = jobs.get(job);
    if (!ofJob) jobs.set(job, [outcome]);
    else if (ofJob.every(({ fence }) => fence !== outcome.fence)) ofJob.push(outcome);
  }
  return [...jobs.values()].map((ofJob) => ofJob.toSorted((a, b) => b.fence - a.fence));
}
