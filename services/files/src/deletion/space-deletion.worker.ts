// Deletes the files of deleted spaces. Every process runs it; rows are leased.
import { Database, PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { SAFETY_POLL_MS } from '../config.js';
import { EventBacklog } from '../event-backlog.store.js';
import { DeleteFilesOfSpaces } from './delete-files-of-spaces.usecase.js';
import { DeletionStore } from './deletion.store.js';
import { ObjectRemovalNotifier } from './deletion-notifiers.service.js';

/** Longest sleep after a lost wake-up; see PollingLoop. */
const POLL_MS = 30_000;
/** While the event backlog is full, spaces that are due wait. */
const PAUSE_MIN_MS = 1_000;

@Injectable()
export class SpaceDeletionWorker extends PollingLoop {
  private readonly deleting: DeleteFilesOfSpaces;

  constructor(
    database: Database,
    deletions: DeletionStore,
    backlog: EventBacklog,
    @Inject(ObjectRemovalNotifier) removals: Pick<ObjectRemovalNotifier, 'wakeUp'>,
    @Inject(LOGGER) logger: Logger,
    @Optional() @Inject(SAFETY_POLL_MS) pollMs = POLL_MS,
  ) {
    super({
      name: 'Deleting files of spaces',
      pollMs,
      pauseMinMs: PAUSE_MIN_MS,
      logger,
      round: () => this.deleting.round(),
      nextDueInMs: () => deletions.nextDueInMs(),
    });
    const isStopping = () => this.isStopping;
    this.deleting = new DeleteFilesOfSpaces(database, deletions, backlog, () => removals.wakeUp(), isStopping);
  }
}
