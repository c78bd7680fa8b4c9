// Runs jobs: as many at a time as it may, each by itself. What has completed since is written down, and new jobs are taken,
// by one statement; where many complete while that is under way, they don't wait for it. Leases of what runs are kept alive.
import { Doorbell, type Logger } from '@kiln/platform';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClaimStore } from '../store/claim.store.js';
import type { JobRow } from '../store/job.rows.js';
import { leaseKey, type Lease, type LeaseStore } from '../store/lease.store.js';
import { Completions, type Completed, type Variants } from './completions.js';
import type { RunJob } from './run-job.js';
import type { SettleJob } from './settle-job.js';

export interface JobWorkerOptions {
  claims: ClaimStore;
  leases: LeaseStore;
  runJob: Pick<RunJob, 'execute'>;
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
/** Others are claiming at the same tenants; each waits a random time up to this. */
const BUSY_PAUSE_MS = 20;
/** A run that does not heed its abort by then is left behind: its fence is void once the job is back in the queue. */
const STOP_GRACE_MS = 3_000;
/** Of one turn. */
const CLAIMED_MAX = 500;

export class JobWorker {
  /** By `leaseKey`: an earlier run of the same job, whose lease was lost, may still be winding down. */
  private readonly running = new Map<string, Running>();
  private readonly completions: Completions;
  private loop: Promise<void> = Promise.resolve();
  private heartbeat: NodeJS.Timeout | null = null;
  private tidying: Promise<void> | null = null;
  private stopping = false;
  private readonly doorbell = new Doorbell();

  constructor(private readonly options: JobWorkerOptions) {
    this.completions = new Completions(options, () => this.wakeUp());
  }

  start(): void {
    this.loop = this.turnLoop();
    this.heartbeat = setInterval(() => void this.renewLeases(), this.options.heartbeatMs);
  }

  wakeUp(): void {
    this.doorbell.ring();
  }

  /** Stops the runs whose jobs are no longer this worker's, without waiting for the next heartbeat. */
  checkLeases(): void {
    void this.renewLeases();
  }

  get runningCount(): number {
    return this.running.size;
  }

  /** Claims no more, aborts what runs and gives it back to the queue, so that others go on with it at once. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wakeUp();
    await this.loop;
    await this.tidying;
    for (const { abort } of this.running.values()) abort.abort(new WorkerStopping());
    await this.settledWithin(STOP_GRACE_MS);
    await Promise.allSettled([...this.running.values()].map(({ lease }) => this.options.settleJob.giveBack(lease)));
    if (this.heartbeat) clearInterval(this.heartbeat);
  }

  private async settledWithin(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
    await Promise.race([Promise.allSettled([...this.running.values()].map(({ done }) => done)), late]);
    clearTimeout(timer);
  }

  private async turnLoop(): Promise<void> {
    while (!this.stopping) {
      const completed = this.completions.take();
      try {
        const pauseMs = await this.takeTurn(completed);
        if (pauseMs > 0 && this.completions.count === 0) await this.doorbell.sleep(pauseMs);
      } catch (error) {
        this.options.logger.warn({ err: error }, 'claiming failed; it will be tried again');
        this.completions.writeApart(completed);
        await this.doorbell.sleep(FAULT_PAUSE_MS);
      }
    }
    while (this.completions.count > 0) this.completions.writeApart(this.completions.take());
  }

  /** Milliseconds after which to look again. */
  private async takeTurn(completed: Completed[]): Promise<number> {
    const { claims, concurrency } = this.options;
    const free = Math.max(0, Math.min(CLAIMED_MAX, concurrency - this.running.size + completed.length));
    if (free === 0 && completed.length === 0) return POLL_MS;
    const { jobs, missed, drained, busy } = await claims.turn(completed, free);
    for (const job of jobs) this.begin(job);
    this.completions.written(completed, missed);
    if (drained.length > 0) this.tidying ??= this.putAway(drained).finally(() => (this.tidying = null));
    if (jobs.length === free) return 0;
    return busy ? Math.random() * BUSY_PAUSE_MS : POLL_MS;
  }

  /** Beside the turns, so that a job which comes meanwhile does not wait for it. Then others have come to the front. */
  private async putAway(drained: string[]): Promise<void> {
    try {
      if (!(await this.options.claims.settle(drained))) await delay(Math.random() * BUSY_PAUSE_MS);
    } catch (error) {
      this.options.logger.warn({ err: error }, 'tenants without jobs not put away; the next turn finds them again');
    }
    this.wakeUp();
  }

  private begin(job: JobRow): void {
    const lease = { tenantId: job.tenant_id, jobId: job.id, fence: job.fence };
    const abort = new AbortController();
    const done = this.run(job, lease, abort.signal)
      .catch((error: unknown) => this.options.logger.error({ err: error, jobId: job.id }, 'run not settled'))
      .finally(() => {
        this.running.delete(leaseKey(lease));
        this.wakeUp();
      });
    this.running.set(leaseKey(lease), { lease, abort, done });
  }

  private async run(job: JobRow, lease: Lease, signal: AbortSignal): Promise<void> {
    const { runJob, settleJob } = this.options;
    try {
      const variants = await runJob.execute(job, lease, signal);
      await this.complete(job, lease, variants);
    } catch (error) {
      if (signal.reason instanceof WorkerStopping) await settleJob.giveBack(lease);
      else if (!(signal.reason instanceof LeaseLost)) await settleJob.fail(job, lease, error);
    }
  }

  private complete(job: JobRow, lease: Lease, variants: Variants): Promise<void> {
    if (this.stopping) return this.options.settleJob.complete(lease, variants);
    return this.completions.add(job, lease, variants);
  }

  private async renewLeases(): Promise<void> {
    const held = [...this.running.values()];
    if (held.length === 0) return;
    try {
      const kept = await this.options.leases.extend(held.map(({ lease }) => lease));
      for (const { lease, abort } of held) if (!kept.has(leaseKey(lease))) abort.abort(new LeaseLost());
    } catch (error) {
      // The lease outlives some missed heartbeats; if it does not, the fence keeps this run from writing.
      this.options.logger.warn({ err: error }, 'leases not renewed');
    }
  }
}

class LeaseLost extends Error {}
class WorkerStopping extends Error {}
