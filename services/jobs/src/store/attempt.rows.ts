// The log of runs: one row, with its steps, for each that ended in another way than by completing its job. Of that one, which
// is a job's last, its job's row tells everything.
import type { JobError } from '@kiln/contracts';
import type { AttemptEnd, RunStep } from '../domain/run-timeline.js';

export interface AttemptRow {
  attempt: number;
  status: AttemptEnd;
  started_at: Date;
  ended_at: Date;
  error: Pick<JobError, 'code' | 'message'> | null;
  steps: RunStep[] | null;
}

/**
 * The insert that belongs into every statement that ends runs. `source` holds their rows of `jobs` after the change;
 * `status` is one of the table's, or the parameter that holds it. A run that a release without this log began has no start.
 */
export function logAttempt(status: Exclude<AttemptEnd, 'completed'> | '$7', source: string, error = 'error'): string {
  const ended = status === '$7' ? status : `'${status}'`;
  return `insert into job_attempts (tenant_id, job_id, attempt, status, started_at, ended_at, error, steps)
     select tenant_id, id, attempts, ${ended}, coalesce(run_started_at, started_at, now()), now(), ${error}, run_steps
     from ${source}`;
}
