// Removes the rows of deleted connections in batches.
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionPurgeStore } from './connection-purge.store.js';

/** For connections whose wake-up was lost. */
const POLL_MS = 30_000;

@Injectable()
export class PurgeWorker extends PollingLoop {
  constructor(purges: ConnectionPurgeStore, @Inject(LOGGER) logger: Logger) {
    super({
      name: 'removing deleted connections',
      pollMs: POLL_MS,
      logger,
      round: () => purges.purgeBatch(),
    });
  }
}
