// A run that is in progress in this worker.
import type { FileLabels } from '@kiln/contracts';
import type { RunReport } from '../runs/domain/run-report.js';
import type { ClaimedJob } from '../jobs/job.rows.js';
import type { Lease } from '../leases/lease.store.js';
import type { SandboxSlot } from './sandbox-slots.service.js';

/** The abort reason of runs whose worker stops. */
export class WorkerStopping extends Error {}

export class ActiveRun {
  readonly lease: Lease;
  readonly startedAt = performance.now();
  done: Promise<void> = Promise.resolve();
  /** The latest report of the run. It is written with the end of the run, however it ends. */
  report: RunReport | null = null;
  /** What callers say about the file. Undefined until the run has begun. */
  labels: FileLabels | undefined;
  private reason: Error | null = null;
  private controller: AbortController | null = null;

  constructor(
    readonly job: ClaimedJob,
    readonly slot: SandboxSlot,
  ) {
    this.lease = { tenantId: job.tenant_id, jobId: job.id, fence: job.fence };
  }

  /** Fires when the lease is lost, the run is overdue or the worker stops. Created on first use: it costs as much as claiming a job. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.reason) this.controller.abort(this.reason);
    return this.controller.signal;
  }

  /** Null unless it was aborted. */
  get abortReason(): Error | null {
    return this.reason;
  }

  abort(reason: Error): void {
    this.reason ??= reason;
    this.controller?.abort(this.reason);
  }
}
