// Claims and runs jobs, up to a limit at a time. It claims more while finished runs are being completed.
import { noteFailure, PollingLoop } from '@kiln/platform';
import type { RunOutcome } from '../runs/domain/run-outcome.js';
import type { ClaimStore } from '../claims/claim.store.js';
import type { CompletionStore } from '../leases/completion.store.js';
import { jobCompleted } from '../jobs/job.events.js';
import type { ClaimedJob } from '../jobs/job.rows.js';
import type { ActiveRun } from './active-run.service.js';
import { ClaimCircuit } from './claim-circuit.service.js';
import { Completions } from './completions.service.js';
import { LeaseLost, LeaseRenewal, RunOverdue, type LeaseRenewalOptions } from './lease-renewal.service.js';
import { RunSlots, type RunSlotsOptions } from './run-slots.service.js';
import { inRunSpan } from './run-span.metrics.js';
import type { EndRun } from './end-run.usecase.js';
import { IdleTenants } from './idle-tenants.service.js';

export interface JobWorkerOptions extends LeaseRenewalOptions, RunSlotsOptions {
  claims: ClaimStore;
  completions: CompletionStore;
  runJob: { execute(run: ActiveRun): Promise<RunOutcome> };
  endRun: EndRun;
  /** Called when jobs of this worker are queued again: other workers may have room for them. */
  onReleased: () => void;
  pollMs?: number;
  /** Default: one for this worker. */
  circuit?: ClaimCircuit;
}

/** The safety poll. */
const POLL_MS = 5_000;
/** Another worker is claiming from the same tenants: each waits a random time up to this. */
const BUSY_PAUSE_MS = 20;
/** A run that ignores its abort for so long is abandoned: its fencing token is outdated once the job is queued again. */
const STOP_GRACE_MS = 3_000;
const GATHER_MS = 2;

export class JobWorker {
  /** May include an earlier run of the same job that has lost its lease and is still stopping. */
  private readonly running = new Set<ActiveRun>();
  private readonly room: RunSlots;
  private readonly completions: Completions;
  private readonly loop: PollingLoop;
  private readonly renewal: LeaseRenewal;
  private readonly circuit: ClaimCircuit;
  /** A due job may be waiting for room. */
  private mayBeMore = true;
  /** Such a job may be one of a tenant that has no run here. */
  private mayBeOthers = true;
  /** Tenants whose runs have ended since the last claim. */
  private readonly endedOf = new Set<string>();
  private readonly idleTenants: IdleTenants;
  private stopping = false;
  /** Milliseconds until the next round, unless a wake-up comes first. */
  private dueInMs: number | null = null;

  constructor(private readonly options: JobWorkerOptions) {
    this.completions = new Completions(options);
    this.renewal = new LeaseRenewal(options, this.running);
    this.circuit = options.circuit ?? new ClaimCircuit(options.logger);
    this.idleTenants = new IdleTenants(options, () => this.wakeUp());
    this.room = new RunSlots(options, () => this.onRoom());
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
    this.renewal.start();
  }

  wakeUp(): void {
    this.loop.wakeUp(this.gatherMs);
  }

  /** Stops the runs that have lost their lease, without waiting for the next heartbeat. */
  checkLeases(): void {
    void this.renewal.renew();
  }

  /** False while faults of the machine or of a part of Kiln keep it from claiming jobs as usual. */
  get isClaiming(): boolean {
    return this.circuit.isClosed;
  }

  get runningCount(): number {
    return this.running.size;
  }

  /** Claims no more, aborts all runs and releases their jobs, so that other workers can resume them at once. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.loop.stop();
    for (const run of this.running) run.abort(new WorkerStopping());
    await this.endedWithin(STOP_GRACE_MS);
    const left = [...this.running];
    await Promise.allSettled(left.map(({ lease, report }) => this.options.endRun.release(lease, report)));
    if (left.length > 0) this.options.onReleased();
    this.renewal.stop();
    await this.idleTenants.stop();
  }

  private async endedWithin(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)));
    await Promise.race([Promise.allSettled([...this.running].map(({ done }) => done)), late]);
    clearTimeout(timer);
  }

  /** Returns whether more jobs may be due now. */
  private async claim(): Promise<boolean> {
    const { claims } = this.options;
    const free = this.circuit.limit(this.room.free(this.running.size));
    this.dueInMs = null;
    this.mayBeMore = free === 0;
    if (free === 0) return this.claimReserved();
    const endedOf = [...this.endedOf];
    this.endedOf.clear();
    const { jobs, drained } = await claims.claim(free, { endedOf, lastTenants: this.room.lastTenants });
    for (const job of jobs) this.begin(job);
    if (jobs.length === free) {
      this.idleTenants.suspect(drained);
      return true;
    }
    const dueInMs = await claims.nextDueInMs(drained);
    this.idleTenants.add(drained, dueInMs === 0);
    this.mayBeMore = dueInMs === 0 || claims.isLimited;
    this.dueInMs = dueInMs === 0 ? Math.random() * BUSY_PAUSE_MS : dueInMs;
    return dueInMs === 0 && jobs.length > 0;
  }

  /** Claims for tenants that have no run here. The others get no more for now. */
  private async claimReserved(): Promise<false> {
    const { room, options, circuit } = this;
    this.mayBeOthers = true;
    const count = circuit.limit(room.reserved);
    if (count > 0) {
      const { jobs, drained } = await options.claims.claimExcept(count, room.tenantIds);
      for (const job of jobs) this.begin(job);
      this.mayBeOthers = jobs.length === count;
      this.idleTenants.suspect(drained);
    }
    this.dueInMs = Math.max(room.precedenceMs, circuit.waitMs) || null;
    return false;
  }

  private begin(job: ClaimedJob): void {
    const run = this.room.enter(job);
    this.running.add(run);
    run.done = inRunSpan(job, () => this.execute(run));
  }

  private async work(run: ActiveRun): Promise<{ outcome: RunOutcome; durationMs: number }> {
    const guarded = this.circuit.begin();
    try {
      const outcome = await this.options.runJob.execute(run);
      const durationMs = performance.now() - run.startedAt;
      guarded.succeeded();
      this.room.limit.onRunCompleted(durationMs);
      return { outcome, durationMs };
    } catch (error) {
      this.circuit.onFailure(guarded, error);
      this.room.limit.onRunFailed();
      throw error;
    } finally {
      this.room.leave(run);
      this.onRoom();
    }
  }

  private async execute(run: ActiveRun): Promise<void> {
    const { job, lease } = run;
    try {
      const { outcome, durationMs } = await this.work(run);
      const completed = jobCompleted(job, outcome, durationMs);
      const finished = { lease, event: completed, report: run.report };
      if (this.stopping) await this.options.endRun.complete(finished);
      else await this.completions.add(finished);
    } catch (error) {
      noteFailure(error);
      await this.endFailed(run, error);
    } finally {
      this.running.delete(run);
      this.endedOf.add(job.tenant_id);
      this.idleTenants.suspect([job.tenant_id]);
      this.onRoom();
    }
  }

  private onRoom(): void {
    if (this.mayBeMore && (this.mayBeOthers || this.room.precedenceMs === 0)) this.wakeUp();
  }

  /** Jobs that are claimed together share calls and commits, so a busy worker waits a moment for more room. */
  private get gatherMs(): number {
    return this.room.isIdle ? 0 : GATHER_MS;
  }

  /** When even this fails, the lease is no longer renewed and expires. */
  private async endFailed({ job, lease, report, abortReason }: ActiveRun, thrown: unknown): Promise<void> {
    const { endRun, logger } = this.options;
    try {
      if (abortReason instanceof WorkerStopping) await endRun.release(lease, report);
      else if (!(abortReason instanceof LeaseLost)) {
        await endRun.fail(job, lease, abortReason instanceof RunOverdue ? abortReason : thrown, report);
      }
      this.wakeUp();
      this.options.onReleased();
    } catch (error) {
      logger.error({ err: error, jobId: job.id }, 'Ending a run failed; its lease will expire');
    }
  }
}

class WorkerStopping extends Error {}
