// Removes objects from storage when their removal is due. Every process runs it; rows are leased.
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { SAFETY_POLL_MS } from '../config.js';
import { RemovalStore } from './removal.store.js';
import { RemoveObjects } from './remove-objects.usecase.js';

/** Longest sleep after a lost wake-up; see PollingLoop. */
const POLL_MS = 30_000;

@Injectable()
export class ObjectRemovalWorker extends PollingLoop {
  constructor(
    removals: RemovalStore,
    removeObjects: RemoveObjects,
    @Inject(LOGGER) logger: Logger,
    @Optional() @Inject(SAFETY_POLL_MS) pollMs = POLL_MS,
  ) {
    super({
      name: 'Removing objects',
      pollMs,
      logger,
      round: () => removeObjects.round(),
      nextDueInMs: () => removals.nextDueInMs(),
    });
  }
}
