// Removes what deleted connections leave behind, a bounded round at a time.
import { PollingLoop, type Logger } from '@kiln/platform';
import type { ConnectionPurgeStore } from '../store/connection-purge.store.js';

/** For what a death left behind. */
const POLL_MS = 30_000;

export class PurgeWorker {
  private readonly loop: PollingLoop;

  constructor(purges: ConnectionPurgeStore, logger: Logger) {
    this.loop = new PollingLoop({
      name: 'removing deleted connections',
      pollMs: POLL_MS,
      logger,
      round: () => purges.purgeSome(),
    });
  }

  start(): void {
    this.loop.start();
  }

  wakeUp(): void {
    this.loop.wakeUp();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }
}
