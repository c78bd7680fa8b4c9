// Runs jobs: claims one for each free slot, keeps the leases of those at work alive, and stops what it no longer holds.
import type { Logger } from '@kiln/platform';
import type { JobRow } from '../store/job.rows.js';
import { LeaseStore, type Lease } from '../store/lease.store.js';
import { RunJob } from './run-job.js';
import { SettleJob } from './settle-job.js';

export interface JobWorkerOptions {
  leases: LeaseStore;
  runJob: RunJob;
  settleJob: SettleJob;
  logger: Logger;
  /** Jobs at a time. */
  concurrency: number;
  heartbeatMs: number;
}

interface Running {
  lease: Lease;
  abort: AbortController;
  done: Promise<void>;
}

/** Longest wait when a wake-up was lost. */
const POLL_MS = 1_000;
const FAULT_PAUSE_MS = 1_000;

export class JobWorker {
  private readonly running = new Map<string, Running>();
  private loop: Promise<void> = Promise.resolve();
  private heartbeat: NodeJS.Timeout | null = null;
  private stopping = false;
  private woken = false;
  private wake: () => void = () => {};

  constructor(private readonly options: JobWorkerOptions) {}

  start(): void {
    this.loop = this.claimLoop();
    this.heartbeat = setInterval(() => void this.renewLeases(), this.options.heartbeatMs);
  }

  /** There may be work. */
  wakeUp(): void {
    this.woken = true;
    this.wake();
  }

  get runningCount(): number {
    return this.running.size;
  }

  /** Claims no more, aborts what runs and gives it back to the queue, so that others go on with it at once. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wakeUp();
    await this.loop;
    for (const { abort } of this.running.values()) abort.abort(new WorkerStopping());
    await Promise.allSettled([...this.running.values()].map(({ done }) => done));
    if (this.heartbeat) clearInterval(this.heartbeat);
  }

  private async claimLoop(): Promise<void> {
    while (!this.stopping) {
      try {
        if (this.running.size < this.options.concurrency && (await this.claimOne())) continue;
        await this.sleep(POLL_MS);
      } catch (error) {
        this.options.logger.warn({ err: error }, 'claiming failed; it will be tried again');
        await this.sleep(FAULT_PAUSE_MS);
      }
    }
  }

  /** Whether it is worth looking again at once. */
  private async claimOne(): Promise<boolean> {
    const job = await this.options.leases.claim();
    if (job === null) return false;
    if (job !== 'retry') this.begin(job);
    return true;
  }

  private begin(job: JobRow): void {
    const lease = { tenantId: job.tenant_id, jobId: job.id, fence: job.fence };
    const abort = new AbortController();
    const done = this.run(job, lease, abort.signal)
      .catch((error: unknown) => this.options.logger.error({ err: error, jobId: job.id }, 'run not settled'))
      .finally(() => {
        this.running.delete(job.id);
        this.wakeUp();
      });
    this.running.set(job.id, { lease, abort, done });
  }

  private async run(job: JobRow, lease: Lease, signal: AbortSignal): Promise<void> {
    const { runJob, settleJob } = this.options;
    try {
      const variants = await runJob.execute(job, lease, signal);
      await settleJob.complete(lease, variants);
    } catch (error) {
      if (signal.reason instanceof WorkerStopping) await settleJob.giveBack(lease);
      else if (!(signal.reason instanceof LeaseLost)) await settleJob.fail(job, lease, error);
    }
  }

  private async renewLeases(): Promise<void> {
    const held = [...this.running.values()];
    if (held.length === 0) return;
    try {
      const kept = await this.options.leases.extend(held.map(({ lease }) => lease));
      for (const { lease, abort } of held) if (!kept.has(lease.jobId)) abort.abort(new LeaseLost());
    } catch (error) {
      // The lease outlives some missed heartbeats; if it does not, the fence keeps this run from writing.
      this.options.logger.warn({ err: error }, 'leases not renewed');
    }
  }

  private async sleep(milliseconds: number): Promise<void> {
    if (!this.woken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.woken = false;
  }
}

class LeaseLost extends Error {}
class WorkerStopping extends Error {}
