// Claims jobs when there is room for their runs, up to a limit at a time. It claims more while finished runs are being completed.
import { PollingLoop } from '@kiln/platform';
import type { ClaimStore } from '../claims/claim.store.js';
import type { ClaimedJob } from '../jobs/job.rows.js';
import { WorkerStopping, type ActiveRun } from './active-run.service.js';
import { ClaimCircuit } from './claim-circuit.service.js';
import { IdleTenants } from './idle-tenants.service.js';
import { LeaseRenewal, type LeaseRenewalOptions } from './lease-renewal.service.js';
import { RunExecution, type RunExecutionParts } from './run-execution.service.js';
import { RunSlots, type RunSlotsOptions } from './run-slots.service.js';
import { inRunSpan } from './run-span.metrics.js';

export interface JobWorkerOptions extends LeaseRenewalOptions, RunSlotsOptions, RunExecutionParts {
  claims: ClaimStore;
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
  private readonly slots: RunSlots;
  private readonly circuit: ClaimCircuit;
  private readonly execution: RunExecution;
  private readonly loop: PollingLoop;
  private readonly renewal: LeaseRenewal;
  private readonly idleTenants: IdleTenants;
  /** When to claim next, by `performance.now()`. In the past: a due job may be waiting for room. */
  private claimAt = 0;

  constructor(private readonly options: JobWorkerOptions) {
    this.circuit = options.circuit ?? new ClaimCircuit(options.logger);
    this.slots = new RunSlots(options, () => this.onRoom());
    this.execution = new RunExecution(options, this.circuit, this.slots);
    this.renewal = new LeaseRenewal(options, this.running);
    this.idleTenants = new IdleTenants(options, () => this.wakeUp());
    this.loop = new PollingLoop({
      name: 'claiming jobs',
      pollMs: options.pollMs ?? POLL_MS,
      pauseMinMs: 0,
      logger: options.logger,
      round: () => this.claim(),
      nextDueInMs: () => Promise.resolve(this.pauseMs),
    });
  }

  start(): void {
    this.loop.start();
    this.renewal.start();
  }

  /** Jobs that are claimed together share calls and commits, so a busy worker waits a moment for more room. */
  wakeUp(): void {
    this.loop.wakeUp(this.slots.isIdle ? 0 : GATHER_MS);
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

  /** A round of the loop. Returns whether more jobs may be due now. */
  private async claim(): Promise<boolean> {
    const { claims } = this.options;
    const free = this.circuit.limit(this.slots.free(this.running.size));
    if (free === 0) return this.claimReserved();
    this.claimAt = Infinity;
    const { jobs, drained } = await claims.claim(free, this.slots.lastTenants);
    for (const job of jobs) this.begin(job);
    if (jobs.length === free) {
      this.idleTenants.suspect(drained);
      return true;
    }
    const dueInMs = await claims.nextDueInMs(drained);
    this.idleTenants.add(drained, dueInMs === 0);
    if (dueInMs === 0 && jobs.length > 0) return true;
    this.claimWithin(dueInMs === 0 ? Math.random() * BUSY_PAUSE_MS : (dueInMs ?? Infinity));
    return false;
  }

  /** No run is free: claims for tenants that have no run here. The others get no more while such a run has precedence. */
  private async claimReserved(): Promise<false> {
    this.claimAt = 0;
    const count = this.circuit.limit(this.slots.reserved);
    if (count === 0) return false;
    const { jobs, drained } = await this.options.claims.claimExcept(count, this.slots.tenantIds);
    for (const job of jobs) this.begin(job);
    if (jobs.length < count) this.claimAt = performance.now() + this.slots.precedenceMs;
    this.idleTenants.suspect(drained);
    return false;
  }

  private begin(job: ClaimedJob): void {
    const run = this.slots.enter(job);
    this.running.add(run);
    run.done = inRunSpan(job, () => this.execute(run));
  }

  private async execute(run: ActiveRun): Promise<void> {
    const { tenant_id: tenantId } = run.job;
    const isQueuedAgain = await this.execution.execute(run);
    this.running.delete(run);
    this.idleTenants.suspect([tenantId]);
    if (this.options.claims.onRunEnded(tenantId) || isQueuedAgain) this.claimWithin(0);
    this.onRoom();
    if (isQueuedAgain) this.options.onReleased();
  }

  private claimWithin(milliseconds: number): void {
    this.claimAt = Math.min(this.claimAt, performance.now() + milliseconds);
  }

  private onRoom(): void {
    if (this.claimAt <= performance.now()) this.wakeUp();
  }

  /** How long the loop sleeps unless there is room for a run first. */
  private get pauseMs(): number | null {
    const claimInMs = this.claimAt - performance.now();
    return Math.max(claimInMs, this.slots.precedenceMs, this.circuit.waitMs, 0) || null;
  }
}
