// Runs work at an interval. Runs never overlap. A failed run is logged, and the next one tries again.
import type { Logger } from '@kiln/platform';

export class PeriodicTask {
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> | null = null;

  constructor(
    private readonly name: string,
    intervalMs: number,
    private readonly work: () => Promise<void>,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {
    this.timer = setInterval(() => void this.run(), intervalMs);
    this.timer.unref();
  }

  /** Runs now, or waits for the current run. Never throws. */
  run(): Promise<void> {
    this.running ??= this.work()
      .catch((error: unknown) => this.logger.warn({ err: error, task: this.name }, 'Periodic task failed'))
      .finally(() => (this.running = null));
    return this.running;
  }

  /** Starts no further runs, and waits for the current one. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
