// A model of the job engine: plain data and the few rules that change it. It has no locks and no database; its time is a number.
import { LEASE_UNITS, type Run } from './run.js';
import type { Visible, VisibleJob } from './visible-jobs.js';

interface ModelJob extends Omit<VisibleJob, 'dueIn' | 'leaseEndsIn'> {
  tenant: number;
  /** Time and order in which it became due. */
  dueAt: number;
  dueOrder: number;
  leaseEndsAt: number | null;
  /** Gone with its file. */
  deleted: boolean;
  events: string[];
  /** The result of each ended run. */
  runs: string[];
}

/** Claims that each other tenant may get between two of a tenant with due work. */
const CLAIMS_BETWEEN = 1;
/** The order follows the clock of the database. After that clock was set back, the order is rebuilt as it catches up. */
const CLAIMS_AFTER_SETBACK = 2;

/** A job that has lost this many takes its workers down. */
const LOST_LEASES_MAX = 10;

export class JobModel {
  /** Whether claims have to take tenants and jobs in order: for concurrent claims the order is not determined. */
  keepsOrder = true;
  now = 0;
  /** The highest time that the database's clock has shown. */
  latest = 0;
  wasSetBack = false;
  jobs: ModelJob[] = [];
  /** Every run that ever began, dead ones as well. */
  runs: Run[] = [];
  /** For each tenant with due work: the claims of the others since its own last claim. */
  overtaken = new Map<number, Map<number, number>>();
  private order = 0;

  copy(): JobModel {
    return Object.assign(new JobModel(), structuredClone(this));
  }

  /** The state that the engine must show. */
  visible(): Visible[] {
    return this.jobs.map(({ tenant: _tenant, dueAt, dueOrder: _order, leaseEndsAt, deleted, events, runs, ...job }) => {
      const dueIn = job.status === 'queued' ? dueAt - this.now : null;
      const leaseEndsIn = leaseEndsAt === null ? null : leaseEndsAt - this.now;
      return deleted ? { job: null, events, runs: [] } : { job: { ...job, dueIn, leaseEndsIn }, events, runs };
    });
  }

  add(number: number, tenant: number, ready: boolean): void {
    this.jobs[number] = {
      tenant,
      status: 'queued',
      ready,
      fence: 0,
      attempts: 0,
      failures: 0,
      lostLeases: 0,
      progress: 0,
      error: null,
      dueAt: this.now,
      dueOrder: this.order++,
      leaseEndsAt: null,
      deleted: false,
      events: [],
      runs: [],
    };
  }

  job(number: number): ModelJob {
    const job = this.jobs[number];
    if (!job) throw new RangeError(`there is no job ${number}`);
    return job;
  }

  /** Whether the run still holds its lease. */
  holds({ job, fence }: Run): boolean {
    const { status, fence: current, deleted } = this.job(job);
    return !deleted && status === 'processing' && fence === current;
  }

  renew(run: Run): void {
    if (this.holds(run)) this.job(run.job).leaseEndsAt = this.now + LEASE_UNITS;
  }

  moveClock(units: number): void {
    this.now += units;
    this.wasSetBack ||= units < 0;
    this.latest = Math.max(this.latest, this.now);
  }

  /** Into the queue; `runEnded` when a run of it has ended so. */
  enqueue(job: ModelJob, dueAt: number, { error, runEnded }: { error?: string; runEnded?: string } = {}): void {
    if (runEnded) job.runs.push(runEnded);
    Object.assign(job, { status: 'queued', ready: true, error: error ?? null });
    Object.assign(job, { dueAt, dueOrder: this.order++, leaseEndsAt: null });
  }

  end(job: ModelJob, status: 'completed' | 'failed' | 'cancelled', error: string | null, events: string[]): void {
    if (job.status === 'processing') job.runs.push(status);
    Object.assign(job, { status, error, leaseEndsAt: null });
    job.events.push(...events);
  }

  isDue(job: ModelJob): boolean {
    return !job.deleted && job.status === 'queued' && job.ready && job.dueAt <= this.now;
  }

  /** Begins the run that a claim has answered; false when no claim may answer this. */
  claim(run: Run | null): boolean {
    if (!run) return !this.jobs.some((job) => this.isDue(job));
    return this.begin([run]);
  }

  /** Begins runs that were given out together; false when they may not have been. */
  begin(runs: readonly Run[]): boolean {
    const tenantOf = (run: Run) => this.jobs[run.job]?.tenant;
    for (let left = [...runs]; left.length > 0;) {
      // A job of each tenant, then a second of each, and so on.
      const round = left.filter((run, index) => left.findIndex((other) => tenantOf(other) === tenantOf(run)) === index);
      left = left.filter((run) => !round.includes(run));
      if (!this.beginRound(round)) return false;
    }
    return true;
  }

  private beginRound(runs: readonly Run[]): boolean {
    const jobs = runs.map((run) => this.jobs[run.job]);
    if (!jobs.every((job, index) => job && this.isDue(job) && runs[index]?.fence === job.fence + 1)) return false;
    const known = jobs.filter((job) => job !== undefined);
    if (this.keepsOrder && !known.every((job) => this.isFirstOfTenant(job))) return false;
    if (this.keepsOrder && !this.serve(new Set(known.map(({ tenant }) => tenant)))) return false;
    for (const job of known) {
      Object.assign(job, { status: 'processing', fence: job.fence + 1, attempts: job.attempts + 1, error: null });
      job.leaseEndsAt = this.now + LEASE_UNITS;
    }
    this.runs.push(...runs);
    return true;
  }

  /** Takes the jobs of leases that have run out. */
  reclaim(): void {
    const hasEnded = ({ leaseEndsAt, deleted }: ModelJob) =>
      leaseEndsAt !== null && leaseEndsAt <= this.now && !deleted;
    for (const job of this.jobs.filter(hasEnded)) {
      job.lostLeases++;
      this.enqueue(job, this.now, { runEnded: 'interrupted' });
      if (job.lostLeases < LOST_LEASES_MAX) continue;
      this.end(job, 'failed', 'internal', ['file.processing.failed', 'job.failed']);
    }
  }

  /** A tenant without due jobs no longer waits. */
  endIdleWaits(): void {
    const waiting = this.waitingTenants();
    for (const tenant of this.overtaken.keys()) if (!waiting.has(tenant)) this.overtaken.delete(tenant);
  }

  private waitingTenants(): Set<number> {
    return new Set(this.jobs.filter((job) => this.isDue(job)).map((job) => job.tenant));
  }

  private isFirstOfTenant(claimed: ModelJob): boolean {
    return !this.jobs.some((job) => job.tenant === claimed.tenant && this.isDue(job) && this.isBefore(job, claimed));
  }

  private isBefore(job: ModelJob, other: ModelJob | undefined): boolean {
    return other !== undefined && (job.dueAt - other.dueAt || job.dueOrder - other.dueOrder) < 0;
  }

  /** A tenant with due work waits for at most so many claims of each other tenant. */
  private serve(tenants: ReadonlySet<number>): boolean {
    for (const tenant of tenants) this.overtaken.delete(tenant);
    const isBehind = this.now < this.latest;
    const claimsMax = this.wasSetBack ? CLAIMS_AFTER_SETBACK : CLAIMS_BETWEEN;
    let fair = true;
    for (const other of this.waitingTenants()) {
      if (tenants.has(other)) continue;
      const claims = this.overtaken.get(other) ?? new Map<number, number>();
      this.overtaken.set(other, claims);
      for (const tenant of tenants) {
        const count = (claims.get(tenant) ?? 0) + 1;
        claims.set(tenant, count);
        fair &&= count <= claimsMax;
      }
    }
    if (isBehind) this.overtaken.clear();
    return fair || isBehind;
  }
}
