// A run that goes on in this worker.
import type { ClaimedJob } from '../store/job.rows.js';
import type { LeasedRun } from '../store/lease.store.js';
import type { SandboxPlace } from './sandbox-places.js';

export class ActiveRun {
  readonly lease: LeasedRun;
  done: Promise<void> = Promise.resolve();
  private reason: Error | null = null;
  private controller: AbortController | null = null;

  constructor(
    readonly job: ClaimedJob,
    readonly place: SandboxPlace,
  ) {
    this.lease = { tenantId: job.tenant_id, jobId: job.id, fence: job.fence, leaseId: job.lease_id };
  }

  /** Fires when the lease is lost or the worker stops. Made when first asked for: it costs as much as claiming a job. */
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
