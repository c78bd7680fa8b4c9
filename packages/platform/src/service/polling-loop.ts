// A loop that works in rounds: the next one follows at once while there may be more to do, else after a pause or a ring.
import type { Logger } from '../observability/logger.js';
import { Doorbell } from './doorbell.js';

export interface PollingLoopOptions {
  /** What the rounds are about, for the log. */
  name: string;
  pollMs: number;
  logger: Logger;
  /** One round; true when there may be more to do. */
  round: () => Promise<boolean>;
}

export class PollingLoop {
  private readonly doorbell = new Doorbell();
  private running: Promise<void> = Promise.resolve();
  private stopping = false;

  constructor(private readonly options: PollingLoopOptions) {}

  start(): void {
    this.running = this.run();
  }

  /** There may be something to do. */
  wakeUp(): void {
    this.doorbell.ring();
  }

  /** Ends after the round under way. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.doorbell.ring();
    await this.running;
  }

  private async run(): Promise<void> {
    const { name, pollMs, logger, round } = this.options;
    while (!this.stopping) {
      const more = await round().catch((error: unknown) => {
        logger.warn({ err: error }, `${name}: the round failed; the next one tries again`);
        return false;
      });
      if (!more && !this.stopping) await this.doorbell.sleep(pollMs);
    }
  }
}
