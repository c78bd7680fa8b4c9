// Executes the run of a claimed job, and ends it.
import { encodeId } from '@kiln/contracts';
import { noteFailure, type Logger } from '@kiln/platform';
import { jobCompleted } from '../jobs/job.events.js';
import type { CompletionStore } from '../leases/completion.store.js';
import type { RunOutcome } from '../runs/domain/run-outcome.js';
import { WorkerStopping, type ActiveRun } from './active-run.service.js';
import type { ClaimCircuit } from './claim-circuit.service.js';
import { Completions } from './completions.service.js';
import type { EndRun } from './end-run.usecase.js';
import { LeaseLost, RunOverdue } from './lease-renewal.service.js';
import type { OnRunEnded } from './run.metrics.js';
import type { RunSlots } from './run-slots.service.js';

export interface RunExecutionParts {
  completions: CompletionStore;
  runJob: { execute(run: ActiveRun): Promise<RunOutcome> };
  endRun: EndRun;
  logger: Logger;
  onRunEnded?: OnRunEnded | undefined;
}

export class RunExecution {
  private readonly completions: Completions;

  constructor(
    private readonly parts: RunExecutionParts,
    private readonly circuit: ClaimCircuit,
    private readonly slots: RunSlots,
  ) {
    this.completions = new Completions(parts);
  }

  /** Never throws. Returns whether the job may be queued again. */
  async execute(run: ActiveRun): Promise<boolean> {
    const { job, lease } = run;
    try {
      const { outcome, durationMs } = await this.work(run);
      await this.completions.add({ lease, event: jobCompleted(job, outcome, durationMs), report: run.report });
      this.parts.onRunEnded?.(run, 'completed');
      return false;
    } catch (error) {
      noteFailure(error);
      this.parts.onRunEnded?.(run, 'failed');
      return this.endFailed(run, error);
    }
  }

  private async work(run: ActiveRun): Promise<{ outcome: RunOutcome; durationMs: number }> {
    const guarded = this.circuit.begin();
    try {
      const outcome = await this.parts.runJob.execute(run);
      const durationMs = performance.now() - run.startedAt;
      guarded.succeeded();
      this.slots.limit.onRunCompleted(durationMs);
      return { outcome, durationMs };
    } catch (error) {
      this.circuit.onFailure(guarded, error);
      this.slots.limit.onRunFailed();
      throw error;
    } finally {
      this.slots.leave(run);
    }
  }

  /** When even this fails, the lease is no longer renewed and expires. */
  private async endFailed(run: ActiveRun, thrown: unknown): Promise<boolean> {
    const { endRun, logger } = this.parts;
    const { job, lease, report, abortReason } = run;
    try {
      if (abortReason instanceof WorkerStopping) await endRun.release(lease, report);
      else if (!(abortReason instanceof LeaseLost)) {
        await endRun.fail(run, abortReason instanceof RunOverdue ? abortReason : thrown);
      }
      return true;
    } catch (error) {
      logger.error({ err: error, jobId: encodeId('job', job.id) }, 'Ending a run failed; its lease will expire');
      return false;
    }
  }
}
