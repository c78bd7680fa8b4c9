// Removes the rows of deleted connections in batches.
import { PollingLoop, WakeUp, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { CONNECTION_DELETED } from '../wake-ups.events.js';
import { ConnectionPurgeStore } from './connection-purge.store.js';

/** Finds connections whose wake-up was lost. */
const POLL_MS = 30_000;

@Injectable()
export class PurgeWorker extends PollingLoop {
  constructor(purges: ConnectionPurgeStore, wakeUp: WakeUp, @Inject(LOGGER) logger: Logger) {
    super({
      name: 'removing deleted connections',
      pollMs: POLL_MS,
      logger,
      round: () => purges.purgeBatch(),
    });
    wakeUp.listen(CONNECTION_DELETED, () => this.wakeUp());
  }
}
