// Records the steps of a run, and shows runs as the timeline of their job.
import { formatTimestamp, type JobError, type TimelineEntry } from '@kiln/contracts';

export type AttemptEnd = Exclude<TimelineEntry['status'], 'running'>;
type Fault = Pick<JobError, 'code' | 'message'>;

/** As stored. Times are ISO 8601 with milliseconds. An open step has no end. */
export interface RunStep {
  step: NonNullable<TimelineEntry['step']>;
  provider: string | null;
  status: 'running' | 'completed' | 'failed';
  started_at: string;
  ended_at: string | null;
  error: Fault | null;
}

/** Records the steps of one run. The end of the run closes the open step. */
export class RunTimeline {
  private readonly recorded: RunStep[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  get steps(): readonly RunStep[] {
    return this.recorded;
  }

  /** Completes the previous step. */
  begin(step: RunStep['step'], provider: string | null): void {
    this.close('completed', null);
    this.open(step, provider);
  }

  /** The current provider failed, and another takes over the same step. */
  fallBack(provider: string, { code, message }: Fault): void {
    const failed = this.recorded.at(-1);
    if (!failed) throw new Error('no step has begun');
    this.close('failed', { code, message });
    this.open(failed.step, provider);
  }

  private open(step: RunStep['step'], provider: string | null): void {
    const startedAt = new Date(this.now()).toISOString();
    this.recorded.push({ step, provider, status: 'running', started_at: startedAt, ended_at: null, error: null });
  }

  private close(status: 'completed' | 'failed', error: Fault | null): void {
    const last = this.recorded.at(-1);
    if (last) Object.assign(last, { status, error, ended_at: new Date(this.now()).toISOString() });
  }
}

/** A run that has ended or is in progress. */
export interface Run {
  attempt: number;
  status: TimelineEntry['status'];
  started_at: Date;
  ended_at: Date | null;
  error: Fault | null;
  steps: readonly RunStep[] | null;
}

/** One entry for each step; a run without steps is one entry. An open step ended as its run did. */
export function timelineOf(runs: readonly Run[]): TimelineEntry[] {
  return runs.flatMap(
    ({ attempt, status, started_at: startedAt, ended_at: endedAt, error, steps }): TimelineEntry[] => {
      if (!steps?.length) {
        const whole = { attempt, step: null, provider: null, status, error: faultOf(error) };
        return [{ ...whole, ...timesOf(startedAt, endedAt) }];
      }
      return steps.map((step) => {
        const open = step.status === 'running';
        return {
          attempt,
          step: step.step,
          provider: step.provider,
          status: open ? status : step.status,
          error: faultOf(open ? error : step.error),
          ...timesOf(new Date(step.started_at), step.ended_at === null ? endedAt : new Date(step.ended_at)),
        };
      });
    },
  );
}

const faultOf = (error: Fault | null) => (error ? { code: error.code, message: error.message } : null);

/** The clocks of a worker and of the database may differ a little: no duration is negative. */
function timesOf(
  startedAt: Date,
  endedAt: Date | null,
): Pick<TimelineEntry, 'started_at' | 'ended_at' | 'duration_ms'> {
  return {
    started_at: formatTimestamp(startedAt),
    ended_at: endedAt && formatTimestamp(endedAt),
    duration_ms: endedAt && Math.max(0, endedAt.getTime() - startedAt.getTime()),
  };
}
