// Runs that did their work and are to be written down: by the worker's next turn, or beside it where there are many.
import { outboxRow, type Logger } from '@kiln/platform';
import type { ClaimStore, FinishedRun } from '../store/claim.store.js';
import { jobCompleted } from '../store/job.events.js';
import type { JobRow } from '../store/job.rows.js';
import type { Lease } from '../store/lease.store.js';
import type { RunJob } from './run-job.js';
import type { SettleJob } from './settle-job.js';

export type Variants = Awaited<ReturnType<RunJob['execute']>>;

export interface Completed extends FinishedRun {
  variants: Variants;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Of one statement. */
const WRITTEN_MAX = 500;
/** So many are worth a statement of their own while a turn is under way. */
const MANY = 100;

export class Completions {
  private readonly waiting: Completed[] = [];
  private writing = false;

  constructor(
    private readonly parts: { claims: ClaimStore; settleJob: SettleJob; logger: Logger },
    private readonly onWaiting: () => void,
  ) {}

  get count(): number {
    return this.waiting.length;
  }

  /** Returns once it is written down, or is known to be no longer ours to write. */
  add(job: JobRow, lease: Lease, variants: Variants): Promise<void> {
    const event = outboxRow(jobCompleted(job, variants));
    return new Promise((resolve, reject) => {
      this.waiting.push({ lease, event, variants, resolve, reject });
      this.onWaiting();
      if (this.waiting.length === MANY) setImmediate(() => void this.writeDown());
    });
  }

  /** The next ones, for a turn that then says which of them it has written. */
  take(): Completed[] {
    return this.waiting.splice(0, WRITTEN_MAX);
  }

  written(taken: readonly Completed[], missed: readonly Completed[]): void {
    this.writeApart(missed);
    const apart = new Set(missed);
    for (const run of taken) if (!apart.has(run)) run.resolve();
  }

  /** Each by itself: what is wrong with one, or a lock on its job, is not the others' concern. */
  writeApart(runs: readonly Completed[]): void {
    for (const { lease, variants, resolve, reject } of runs) {
      this.parts.settleJob.complete(lease, variants).then(resolve, reject);
    }
  }

  private async writeDown(): Promise<void> {
    if (this.writing) return;
    this.writing = true;
    while (this.waiting.length >= MANY) {
      const taken = this.take();
      try {
        this.written(taken, (await this.parts.claims.turn(taken, 0)).missed);
      } catch (error) {
        this.parts.logger.warn({ err: error }, 'completing failed; each run will be tried by itself');
        this.writeApart(taken);
      }
    }
    this.writing = false;
  }
}
