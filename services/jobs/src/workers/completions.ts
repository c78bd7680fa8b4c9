// Runs that did their work and are to be written down: what has gathered while the last ones were written goes together.
import type { Logger, NewEvent } from '@kiln/platform';
import type { CompletionStore, FinishedRun } from '../store/completion.store.js';
import type { Lease } from '../store/lease.store.js';
import type { SettleJob } from './settle-job.js';

interface Completed extends FinishedRun {
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Of one statement. */
const WRITTEN_MAX = 500;

export class Completions {
  private waiting: Completed[] = [];
  private writing = false;

  constructor(private readonly parts: { completions: CompletionStore; settleJob: SettleJob; logger: Logger }) {}

  /** Returns once it is written down, or is known to be no longer ours to write. */
  add(lease: Lease, event: NewEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ lease, event, resolve, reject });
      if (this.writing) return;
      this.writing = true;
      // Runs that end in the same breath go together.
      setImmediate(() => void this.writeDown());
    });
  }

  private async writeDown(): Promise<void> {
    while (this.waiting.length > 0) await this.write(this.waiting.splice(0, WRITTEN_MAX));
    this.writing = false;
  }

  private async write(runs: readonly Completed[]): Promise<void> {
    try {
      const missed = await this.parts.completions.complete(runs);
      const apart = new Set(missed);
      for (const run of runs) if (!apart.has(run)) run.resolve();
      this.writeApart(missed);
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'completing failed; each run will be tried by itself');
      this.writeApart(runs);
    }
  }

  /** What is wrong with one, or a lock on its job, is not the others' concern. */
  private writeApart(runs: readonly Completed[]): void {
    for (const { lease, event, resolve, reject } of runs) {
      this.parts.settleJob.complete(lease, event).then(resolve, reject);
    }
  }
}
