// Completes finished runs in batches: the runs that finish while one batch is written make up the next.
import { currentOrigin, inGroup, type Logger, type Origin } from '@kiln/platform';
import type { CompletionStore, FinishedRun } from '../leases/completion.store.js';
import type { EndRun } from './end-run.usecase.js';

interface Completed extends FinishedRun {
  origin: Origin;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** The most runs that one statement completes. */
const BATCH_MAX = 500;

export class Completions {
  private waiting: Completed[] = [];
  private writing = false;

  constructor(private readonly parts: { completions: CompletionStore; endRun: EndRun; logger: Logger }) {}

  /** Resolves once the run is completed, or has turned out to have lost its lease. */
  add(finished: FinishedRun): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...finished, origin: currentOrigin(), resolve, reject });
      if (this.writing) return;
      this.writing = true;
      // Runs that finish in the same iteration of the event loop share a statement.
      setImmediate(() => void this.writeAll());
    });
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) await this.write(this.waiting.splice(0, BATCH_MAX));
    this.writing = false;
  }

  private async write(runs: readonly Completed[]): Promise<void> {
    try {
      const origins = runs.map(({ origin }) => origin);
      const missed = await inGroup(origins, () => this.parts.completions.complete(runs));
      const separate = new Set(missed);
      for (const run of runs) if (!separate.has(run)) run.resolve();
      this.writeSeparately(missed);
    } catch (error) {
      this.parts.logger.warn({ err: error }, 'Completing runs failed; each is retried separately');
      this.writeSeparately(runs);
    }
  }

  /** A fault of one run, or a lock on its job, does not affect the others. */
  private writeSeparately(runs: readonly Completed[]): void {
    for (const run of runs) {
      this.parts.endRun.complete(run).then(run.resolve, run.reject);
    }
  }
}
