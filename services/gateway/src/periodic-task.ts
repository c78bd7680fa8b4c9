// Work that is done again and again beside the requests. It never overlaps itself, and a failure only waits for the next turn.
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

  /** Takes a turn now, or joins the one under way. Never throws. */
  run(): Promise<void> {
    this.running ??= this.work()
      .catch((error: unknown) => this.logger.warn({ err: error, task: this.name }, 'periodic task failed'))
      .finally(() => (this.running = null));
    return this.running;
  }

  /** No further turns; waits for the one under way. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
