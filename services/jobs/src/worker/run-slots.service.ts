// How many runs can begin in a worker, and of which tenants.
import type { ClaimedJob } from '../jobs/job.rows.js';
import { ActiveRun } from './active-run.service.js';
import { RunLimit } from './run-limit.service.js';
import { SandboxSlots } from './sandbox-slots.service.js';

export interface RunSlotsOptions {
  /** How many jobs run at a time. While runs end immediately, it is more. */
  concurrency: number;
  /** Runs beyond `concurrency`, for tenants without a run in this worker: their job need not wait until a run of another tenant ends. */
  reserved?: number;
  /** The number of sandboxes, and so of jobs in the sandbox lane that run at a time. Default: `concurrency`. */
  sandboxes?: number;
}

/** After a reserved run has begun, tenants that have runs here get no more for so long. Most reserved runs take less. */
const PRECEDENCE_MS = 100;
/** The worker claims no more jobs while so many finished runs are not yet completed. */
const UNCOMPLETED_MAX = 500;

export class RunSlots {
  readonly limit: RunLimit;
  /** The runs whose work is not done. */
  private readonly working = new Set<ActiveRun>();
  /** The runs that began in reserved room, and when. */
  private readonly reservedRuns = new Map<ActiveRun, number>();
  private readonly sandboxes: SandboxSlots;

  constructor(
    private readonly options: RunSlotsOptions,
    private readonly onFree: () => void,
  ) {
    this.limit = new RunLimit(options.concurrency);
    this.sandboxes = new SandboxSlots(() => options.sandboxes ?? this.limit.current, onFree);
  }

  get isIdle(): boolean {
    return this.working.size === 0;
  }

  /** How many runs can begin when `running` have not ended. A finished run needs no room while it is being completed, unless too many are. */
  free(running: number): number {
    if (this.precedenceMs > 0) return 0;
    const uncompleted = running - this.working.size;
    const room = Math.min(this.limit.current - this.working.size, this.sandboxes.free, UNCOMPLETED_MAX - uncompleted);
    return Math.max(0, room);
  }

  /** When no run is free: how many runs can begin of tenants that have no run here. */
  get reserved(): number {
    const { reserved = 0 } = this.options;
    return reserved === 0 ? 0 : Math.max(0, this.limit.current + reserved - this.working.size);
  }

  /** For how long only tenants without a run are served. 0 unless a reserved run is working. */
  get precedenceMs(): number {
    const latest = Math.max(...this.reservedRuns.values());
    return Math.max(0, latest + PRECEDENCE_MS - performance.now());
  }

  /** Tenants that have runs here. */
  get tenantIds(): string[] {
    return [...new Set([...this.working].map(({ job }) => job.tenant_id))];
  }

  /** Tenants that hold all sandboxes but one. */
  get lastTenants(): string[] {
    return this.sandboxes.lastTenants;
  }

  enter(job: ClaimedJob): ActiveRun {
    const run = new ActiveRun(job, this.sandboxes.take(job.tenant_id));
    if (this.working.size >= this.limit.current) this.reservedRuns.set(run, performance.now());
    this.working.add(run);
    return run;
  }

  leave(run: ActiveRun): void {
    this.working.delete(run);
    this.reservedRuns.delete(run);
    run.slot.leave();
    this.onFree();
  }
}
