// The runs of this worker that have ended, and their steps.
import type { Histogram, Metrics } from '@kiln/platform';
import type { ActiveRun } from './active-run.service.js';

const STEP_BUCKETS_SECONDS = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 1_800];
const COMPLETION_BUCKETS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400];

export type EndedRun = Pick<ActiveRun, 'job' | 'report'>;
export type OnRunEnded = (run: EndedRun, outcome: 'completed' | 'failed') => void;

export class RunMetrics {
  private readonly steps: Histogram;
  private readonly completions: Histogram;

  constructor(metrics: Pick<Metrics, 'histogram'>) {
    this.steps = metrics.histogram('kiln_job_step_seconds', {
      help: 'Time of a step of a run, by step, engine (none if no engine does the work) and outcome (completed, failed)',
      buckets: STEP_BUCKETS_SECONDS,
    });
    this.completions = metrics.histogram('kiln_job_completion_seconds', {
      help: 'Time from the request for a job to its completion, with the upload of its file. Jobs that were retried by a caller are left out',
      buckets: COMPLETION_BUCKETS_SECONDS,
    });
  }

  /** `now`: milliseconds since 1970. The last step of a run is open: it ends with the run. */
  ended({ job, report }: EndedRun, outcome: 'completed' | 'failed', now = Date.now()): void {
    for (const { step, provider, status, started_at, ended_at } of report?.steps ?? []) {
      const endedAt = ended_at === null ? now : Date.parse(ended_at);
      const labels = { step, engine: provider ?? 'none', outcome: status === 'running' ? outcome : status };
      this.steps.record(secondsBetween(Date.parse(started_at), endedAt), labels);
    }
    const isRetried = job.attempts_before_retry > 0;
    if (outcome === 'completed' && !isRetried) this.completions.record(secondsBetween(requestedAt(job.id), now));
  }
}

/** The id of a job is a UUID of version 7, which begins with its time: milliseconds since 1970 in 48 bits (RFC 9562, section 5.7). */
const requestedAt = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

const secondsBetween = (from: number, to: number) => Math.max(0, to - from) / 1_000;
