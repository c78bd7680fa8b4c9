// Renews the leases of the runs in this worker. Aborts runs that have lost theirs, and runs that are beyond their deadline.
import type { Logger } from '@kiln/platform';
import { leaseKey, type LeaseStore } from '../leases/lease.store.js';
import type { ActiveRun } from './active-run.service.js';

export interface LeaseRenewalOptions {
  leases: LeaseStore;
  heartbeatMs: number;
  /** Milliseconds that a run may take. Default: no limit. */
  runDeadlineMs?: number;
  logger: Logger;
}

export class LeaseLost extends Error {}

/** Counts as a failure of the run. */
export class RunOverdue extends Error {
  constructor(deadlineMs: number) {
    super(`the run has not ended within ${deadlineMs} ms`);
  }
}

export class LeaseRenewal {
  private heartbeat: NodeJS.Timeout | null = null;

  constructor(
    private readonly options: LeaseRenewalOptions,
    private readonly running: ReadonlySet<ActiveRun>,
  ) {}

  start(): void {
    this.heartbeat = setInterval(() => void this.renew(), this.options.heartbeatMs);
  }

  stop(): void {
    if (this.heartbeat) clearInterval(this.heartbeat);
  }

  async renew(): Promise<void> {
    const held = this.inTime();
    if (held.length === 0) return;
    try {
      const kept = await this.options.leases.extend(held.map(({ lease }) => lease));
      for (const run of held) if (!kept.has(leaseKey(run.lease))) run.abort(new LeaseLost());
    } catch (error) {
      // A lease survives some missed heartbeats. Once it expires, the fencing token prevents further writes of the run.
      this.options.logger.warn({ err: error }, 'Lease renewal failed');
    }
  }

  /** An overdue run has until its lease expires to end. If it ignores its abort, the job is reclaimed. */
  private inTime(): ActiveRun[] {
    const { runDeadlineMs = Number.POSITIVE_INFINITY } = this.options;
    const begunSince = performance.now() - runDeadlineMs;
    for (const run of this.running) if (run.startedAt < begunSince) run.abort(new RunOverdue(runDeadlineMs));
    return [...this.running].filter(({ startedAt }) => startedAt >= begunSince);
  }
}
