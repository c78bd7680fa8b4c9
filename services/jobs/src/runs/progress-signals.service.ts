// Publishes the progress of a run: at its first step, and then at most once a second. The messages are not stored, so subscribers can miss one.
import { encodeId, type JobProgress } from '@kiln/contracts';
import { JobProgressChannel, untraced } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { ActiveRun } from '../worker/active-run.service.js';

export type SignallingRun = Pick<ActiveRun, 'report'> & {
  readonly job: Pick<ActiveRun['job'], 'tenant_id' | 'id' | 'file_id' | 'space'>;
};

interface Signalled {
  step: string;
  progress: number;
  /** Ends the second in which nothing else is sent. */
  timer: NodeJS.Timeout;
}

const INTERVAL_MS = 1_000;

@Injectable()
export class ProgressSignals {
  private readonly signalled = new Map<SignallingRun, Signalled>();

  constructor(@Inject(JobProgressChannel) private readonly channel: Pick<JobProgressChannel, 'send'>) {}

  /** The run's report has changed. */
  note(run: SignallingRun): void {
    if (!this.signalled.has(run)) this.send(run);
  }

  /** The run is ending. Events report how. */
  remove(run: SignallingRun): void {
    clearTimeout(this.signalled.get(run)?.timer);
    this.signalled.delete(run);
  }

  private send(run: SignallingRun): void {
    const { job, report } = run;
    if (!report) return;
    const { step, progress } = report;
    const timer = untraced(() => setTimeout(() => this.sendAgain(run), INTERVAL_MS));
    this.signalled.set(run, { step, progress, timer });
    this.channel.send(job.tenant_id, {
      job_id: encodeId('job', job.id),
      file_id: encodeId('file', job.file_id),
      space: job.space,
      step: step as JobProgress['step'],
      progress,
    });
  }

  private sendAgain(run: SignallingRun): void {
    const last = this.signalled.get(run);
    this.signalled.delete(run);
    if (last?.step !== run.report?.step || last?.progress !== run.report?.progress) this.send(run);
  }
}
