// A job with its runs, in one round trip.
import { TIMELINE_ATTEMPTS_MAX } from '@kiln/contracts';
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { Run } from '../runs/domain/run-timeline.js';
import type { AttemptRow } from '../leases/attempt.rows.js';
import { jobColumns, type JobRow } from './job.rows.js';

const find = statement(
  'job_timeline.find',
  `select ${jobColumns('j')}, j.run_started_at, j.run_steps, coalesce(log.attempts_log, '[]') as attempts_log
   from jobs j left join lateral (
     select jsonb_agg(to_jsonb(a) order by a.attempt) as attempts_log from (
       select attempt, status, started_at, ended_at, error, steps from job_attempts
       where tenant_id = $1 and job_id = $2 order by attempt desc limit $3
     ) a
   ) log on true
   where j.tenant_id = $1 and j.id = $2`,
);

type InJson<Row> = { [Key in keyof Row]: Row[Key] extends Date ? string : Row[Key] };
type Answer = JobRow & {
  run_started_at: Date | null;
  run_steps: AttemptRow['steps'];
  attempts_log: InJson<AttemptRow>[];
};

export interface JobWithRuns {
  job: JobRow;
  /** In order. The last may still be in progress. */
  runs: Run[];
}

@Injectable()
export class JobTimelineStore {
  constructor(private readonly database: Database) {}

  /** Null when the job does not exist. */
  async get(tenantId: string, jobId: string): Promise<JobWithRuns | null> {
    const [row] = await this.database.query<Answer>(find, [tenantId, jobId, TIMELINE_ATTEMPTS_MAX]);
    if (!row) return null;
    const { run_started_at: startedAt, run_steps: steps, attempts_log: log, ...job } = row;
    const runs: Run[] = log.map((run) => ({
      ...run,
      started_at: new Date(run.started_at),
      ended_at: new Date(run.ended_at),
    }));
    const isLogged = runs.at(-1)?.attempt === job.attempts;
    if (startedAt && !isLogged && (job.status === 'processing' || job.status === 'completed')) {
      const status = job.status === 'completed' ? 'completed' : 'running';
      runs.push({
        attempt: job.attempts,
        status,
        started_at: startedAt,
        ended_at: job.completed_at,
        steps,
        error: null,
      });
    }
    return { job, runs: runs.slice(-TIMELINE_ATTEMPTS_MAX) };
  }
}
