// The log of runs: one row for each run that did not complete its job. The run that completed it is recorded in the row of the job.
import type { JobAttemptEntity } from './job-attempt.entity.js';

export type AttemptRow = Omit<JobAttemptEntity, 'tenant_id' | 'job_id'>;

/**
 * SQL: the insert that every statement that ends runs contains. `source` has their rows of `jobs` after the change. `status` is SQL for
 * a status of `job_attempts`.
 */
export const logAttempt = (status: string, source: string, error = 'error') =>
  `insert into job_attempts (tenant_id, job_id, attempt, status, started_at, ended_at, error, steps)
     select tenant_id, id, attempts, ${status}, run_started_at, now(), ${error}, run_steps from ${source}`;
