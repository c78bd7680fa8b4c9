// Removes deleted files from the index in batches, and deletes tombstones and refusals that are no longer needed.
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { RunFenceStore } from '../cancellation/run-fence.store.js';
import { MergeRequests } from '../merging/merge-requests.service.js';
import { FileRemovalStore } from './file-removal.store.js';

/** The safety poll: a removal waits this long when its wake-up was lost. */
const POLL_MS = 5_000;
/** Injection token: another safety poll, for tests. */
const SAFETY_POLL_MS = Symbol('safety poll');
const EXPIRED_ROWS_PER_ROUND = 1_000;

@Injectable()
export class RemovalWorker extends PollingLoop {
  constructor(
    private readonly removals: FileRemovalStore,
    private readonly refusedRuns: RunFenceStore,
    @Inject(MergeRequests) private readonly mergeRequests: Pick<MergeRequests, 'afterRemoval'>,
    @Inject(LOGGER) logger: Logger,
    @Optional() @Inject(SAFETY_POLL_MS) pollMs = POLL_MS,
  ) {
    super({
      name: 'removal of deleted files',
      pollMs,
      logger,
      round: () => this.round(),
    });
  }

  /** Removes one batch. Returns true when there may be more. */
  async round(): Promise<boolean> {
    const removed = await this.removals.removeNext();
    for (const [tenantId, passages] of removed) this.mergeRequests.afterRemoval(tenantId, passages);
    if (removed.size > 0) return true;
    await this.removals.deleteExpiredTombstones(EXPIRED_ROWS_PER_ROUND);
    await this.removals.forgetRemovedVectors(EXPIRED_ROWS_PER_ROUND);
    await this.refusedRuns.deleteExpired(EXPIRED_ROWS_PER_ROUND);
    return false;
  }
}
