// Runs jobs: as many at a time as it may, each by itself. New ones are taken while those that have completed are written down.
// Leases of what runs are kept alive.
import { PollingLoop, type Logger } from '@kiln/platform';
import type { ClaimStore, Turn } from '../store/claim.store.js';
import type { CompletionStore } from '../store/completion.store.js';
import { jobCompleted } from '../store/job.events.js';
import type { ClaimedJob } from '../store/job.rows.js';
import { leaseKey, type LeaseStore } from '../store/lease.store.js';
import { ActiveRun } from './active-run.js';
import { Completions } from './completions.js';
import { HeldLeases, type HeldLease } from './held-leases.js';
import type { RunJob } from './run-job.js';
import { SandboxPlaces } from './sandbox-places.js';
import type { SettleJob } from './settle-job.js';
import { TenantTidier } from './tenant-tidier.js';

export interface JobWorkerOptions {
  claims: ClaimStore;
  completions: CompletionStore;
  leases: LeaseStore;
  runJob: Pick<RunJob, 'execute'>;
  settleJob: SettleJob;
  logger: Logger;
  /** Jobs at a time. */
  concurrency: number;
  /** Jobs at a time that may need a sandbox; as many as there are. */
  sandboxes: number;
  heartbeatMs: number;
  /** Called when jobs of this worker are due again, now or later: other workers may have room for them. */
  onReleased: () => void;
  pollMs?: number;
}

/** Longest wait when a wake-up was lost. */
const POLL_MS = 5_000;
/** Others are claiming at the same tenants; each waits a random time up to this. */
const BUSY_PAUSE_MS = 20;
/** A run that does not heed its abort by then is left behind: its fence is void once the job is back in the queue. */
const STOP_GRACE_MS = 3_000;
/** Of one statement. */
const CLAIMED_MAX = 500;

export class JobWorker {
  /** An earlier run of the same job, whose lease was lost, may still be winding down. */
  private readonly running = new Set<ActiveRun>();
  private readonly leases = new HeldLeases();
  private readonly completions: Completions;
  private readonly loop: PollingLoop;
  private heartbeat: NodeJS.Timeout | null = null;
  /** A job may be due for which there was no room. */
  private mayBeMore = true;
  /** Tenants of runs that have ended since the last claim. */
  private readonly endedOf = new Set<string>();
  private readonly tenantTidier: TenantTidier;
  private readonly places: SandboxPlaces;
  private stopping = false;
  /** Milliseconds after which to look again, unless woken. */
  private dueInMs: number | null = null;

  constructor(private readonly options: JobWorkerOptions) {
    this.completions = new Completions(options);
    this.tenantTidier = new TenantTidier(options, () => this.wakeUp());
    this.places = new SandboxPlaces(options.sandboxes, () => this.onRoom());
    this.loop = new PollingLoop({
      name: 'claiming jobs',
      pollMs: options.pollMs ?? POLL_MS,
      pauseMinMs: 0,
      logger: options.logger,
      round: () => this.claim(),
      nextDueInMs: () => Promise.resolve(this.dueInMs),
    });
  }

  start(): void {
    this.loop.start();
    this.heartbeat = setInterval(() => void this.renewLeases(), this.options.heartbeatMs);
  }

  wakeUp(): void {
    this.loop.wakeUp();
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
    await this.loop.stop();
    for (const run of this.running) run.abort(new WorkerStopping());
    await this.settledWithin(STOP_GRACE_MS);
    const left = [...this.running];
    await Promise.allSettled(left.map(({ lease }) => this.options.settleJob.giveBack(lease)));
    if (left.length > 0) this.options.onReleased();
    if (this.heartbeat) clearInterval(this.heartbeat);
    await Promise.all([this.letGo(), this.tenantTidier.stop()]);
  }

  private async settledWithin(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
    await Promise.race([Promise.allSettled([...this.running].map(({ done }) => done)), late]);
    clearTimeout(timer);
  }

  /** Whether there may be more to claim at once. */
  private async claim(): Promise<boolean> {
    const { claims, concurrency } = this.options;
    const free = Math.min(CLAIMED_MAX, concurrency - this.running.size, this.places.free);
    this.mayBeMore = free <= 0;
    this.dueInMs = null;
    if (free <= 0) return false;
    const { jobs, drained, isFull, busy, dueInMs } = await this.takeTurn(free);
    for (const job of jobs) this.begin(job);
    this.tenantTidier.add(drained, isFull && jobs.length < free);
    if (jobs.length === free) return true;
    this.mayBeMore = busy || claims.isLimited;
    this.dueInMs = busy || dueInMs === 0 ? Math.random() * BUSY_PAUSE_MS : dueInMs;
    return false;
  }

  private async takeTurn(jobsMax: number): Promise<Turn> {
    const endedOf = [...this.endedOf];
    this.endedOf.clear();
    const over = this.leases.takeOver();
    try {
      return await this.options.claims.turn(jobsMax, { endedOf, over, lastTenants: this.places.lastTenants });
    } catch (error) {
      this.leases.putBack(over);
      throw error;
    }
  }

  private begin(job: ClaimedJob): void {
    const run = new ActiveRun(job, this.places.take(job.tenant_id));
    this.running.add(run);
    run.done = this.execute(run, this.leases.begin(job));
  }

  private async execute(run: ActiveRun, held: HeldLease): Promise<void> {
    const { job, lease, place } = run;
    try {
      const completed = jobCompleted(job, await this.options.runJob.execute(run));
      if (this.stopping) await this.options.settleJob.complete(lease, completed);
      else await this.completions.add(lease, completed);
    } catch (error) {
      await this.settleFailed(run, held, error);
    } finally {
      this.leases.end(held);
      this.running.delete(run);
      this.endedOf.add(job.tenant_id);
      place.leave();
      this.onRoom();
    }
  }

  private onRoom(): void {
    if (this.mayBeMore) this.wakeUp();
  }

  private async settleFailed({ job, lease, abortReason }: ActiveRun, held: HeldLease, thrown: unknown): Promise<void> {
    const { settleJob, logger } = this.options;
    try {
      if (abortReason instanceof WorkerStopping) await settleJob.giveBack(lease);
      else if (!(abortReason instanceof LeaseLost)) await settleJob.fail(job, lease, thrown);
      this.wakeUp();
      this.options.onReleased();
    } catch (error) {
      held.isUnsettled = true;
      logger.error({ err: error, jobId: job.id }, 'run not settled');
    }
  }

  private async renewLeases(): Promise<void> {
    const held = [...this.running];
    if (held.length === 0) return;
    try {
      const kept = await this.options.leases.extend(held.map(({ lease }) => lease));
      for (const run of held) if (!kept.has(leaseKey(run.lease))) run.abort(new LeaseLost());
    } catch (error) {
      // The lease outlives some missed heartbeats; if it does not, the fence keeps this run from writing.
      this.options.logger.warn({ err: error }, 'leases not renewed');
    }
  }

  private async letGo(): Promise<void> {
    const over = this.leases.takeOver();
    if (over.length === 0) return;
    await this.options.leases.letGo(over).catch((error: unknown) => {
      this.options.logger.warn({ err: error }, 'leases not let go; they run out');
    });
  }
}

class LeaseLost extends Error {}
class WorkerStopping extends Error {}
