// Processes shut down in phases, each with a deadline: stop intake, finish running work, flush, close. A phase that fails is
// logged, and the next one runs. A second signal ends the process at once.
import { within } from '@kiln/resilience';
import type { Logger } from '../observability/logger.js';

interface Phase {
  name: string;
  deadlineMs: number;
  run: () => Promise<void>;
}

export class Shutdown {
  private readonly phases: Phase[] = [];
  private started: Promise<void> | null = null;

  constructor(private readonly logger: Logger) {}

  /** Adds a phase. Phases run in the order in which they were added. */
  addPhase(name: string, deadlineMs: number, run: () => Promise<void>): void {
    this.phases.push({ name, deadlineMs, run });
  }

  /** Starts the shutdown on SIGTERM or SIGINT. */
  listenForSignals(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (this.started) process.exit(1);
        void this.run().then(() => process.exit(0));
      });
    }
  }

  run(): Promise<void> {
    this.started ??= this.runPhases();
    return this.started;
  }

  private async runPhases(): Promise<void> {
    for (const phase of this.phases) {
      try {
        await within(phase.deadlineMs, phase.run(), () => {
          throw new Error(`not done after ${phase.deadlineMs} ms`);
        });
      } catch (error) {
        this.logger.error({ err: error, phase: phase.name }, 'shutdown phase failed');
      }
    }
  }
}
