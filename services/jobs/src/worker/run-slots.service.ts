// How many runs can begin in a worker, and of which tenants.
import type { ClaimedJob } from '../jobs/job.rows.js';
import { ActiveRun } from './active-run.service.js';
import { RunLimit } from './run-limit.service.js';
import { SandboxSlots } from './sandbox-slots.service.js';

export interface RunSlotsOptions {
  /** Jobs that run at a time. More while runs end immediately. */
  concurrency: number;
  /** Runs beyond `concurrency` for tenants without a run in this worker: their job does not wait until a run of another tenant ends. */
  reserved?: number;
  /** The number of sandboxes: only so many jobs that may need one run at a time. Unset: no limit of its own. */
  sandboxes?: number;
}

/** For so long after a reserved run has begun, tenants that have runs here get no more. Most reserved runs take less. */
const PRECEDENCE_MS = 100;
/** With so many finished runs that are not yet completed, no more jobs are claimed. */
const UNCOMPLETED_MAX = 500;

export class RunSlots {
  readonly limit: RunLimit;
  /** The runs whose work is not done. */
  private readonly working = new Set<ActiveRun>();
  /** The runs that began in reserved room, and when. */
  private readonly reservedRuns = new Map<ActiveRun, number>();
  private readonly places: SandboxSlots;

  constructor(
    private readonly options: RunSlotsOptions,
    onFree: () => void,
  ) {
    this.limit = new RunLimit(options.concurrency);
    this.places = new SandboxSlots(() => options.sandboxes ?? this.limit.current, onFree);
  }

  get isIdle(): boolean {
    return this.working.size === 0;
  }

  /** How many runs can begin when `running` have not ended. A finished run needs no room while it is being completed, unless too many are. */
  free(running: number): number {
    if (this.precedenceMs > 0) return 0;
    const uncompleted = running - this.working.size;
    const room = Math.min(this.limit.current - this.working.size, this.places.free, UNCOMPLETED_MAX - uncompleted);
    return Math.max(0, room);
  }

  /** How many runs of tenants that have none here can begin when none are free. */
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
    return this.places.lastTenants;
  }

  enter(job: ClaimedJob): ActiveRun {
    const run = new ActiveRun(job, this.places.take(job.tenant_id));
    if (this.working.size >= this.limit.current) this.reservedRuns.set(run, performance.now());
    this.working.add(run);
    return run;
  }

  leave(run: ActiveRun): void {
    this.working.delete(run);
    this.reservedRuns.delete(run);
    run.place.leave();
  }
}
