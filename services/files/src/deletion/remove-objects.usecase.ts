// Removes the objects of deleted files from storage, and retries until that succeeds. It lists the objects of a file instead of
// recording their keys, so it also finds what a run or an upload has written unnoticed.
import { sourceKey } from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { listPages, type ListedObject, type ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { OBJECT_STORE, UPLOAD_BYTES_MAX } from '../config.js';
import { AbortParts } from '../parts/abort-parts.usecase.js';
import { isSuperseded } from './superseded.domain.js';
import { RemovalMetrics, type RemovalCounters } from './removal.metrics.js';
import { RemovalStore, type Removal } from './removal.store.js';

const BATCH_SIZE = 100;
/** Files whose objects are listed concurrently. */
const CONCURRENCY = 10;
/** Listing and deleting a batch takes less time, even while storage answers slowly. */
const LEASE_SECONDS = 120;
/** At most so many keys are held in memory. A file with more objects is emptied page by page. */
const OBJECTS_HELD_MAX = 1_000;

type Selection = (object: ListedObject) => boolean;

@Injectable()
export class RemoveObjects {
  constructor(
    private readonly removals: RemovalStore,
    @Inject(AbortParts) private readonly abortParts: Pick<AbortParts, 'execute'>,
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(RemovalMetrics) private readonly metrics: RemovalCounters,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(UPLOAD_BYTES_MAX) private readonly uploadBytesMax: number,
  ) {}

  /** Removes one batch. Returns true when there may be more. */
  async round(): Promise<boolean> {
    const claimed = await this.removals.claimDue(BATCH_SIZE, LEASE_SECONDS);
    const queue = [...claimed];
    const work = async () => {
      for (let removal = queue.shift(); removal; removal = queue.shift()) await this.removeOrRetry(removal);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    return claimed.length === BATCH_SIZE;
  }

  private async removeOrRetry(removal: Removal): Promise<void> {
    try {
      await this.remove(removal);
      await this.removals.complete([removal]);
    } catch (error) {
      const { fileId, attempts } = removal;
      this.logger.warn({ err: error, fileId, attempts }, 'Removal of objects failed; it will be retried');
      await this.removals.retryLater([removal]);
    }
  }

  private async remove(removal: Removal): Promise<void> {
    if (!removal.hasFile) await this.abortParts.execute(removal.tenantId, removal.fileId);
    const prefix = `${removal.tenantId}/${removal.fileId}/`;
    for await (const page of listPages(this.objects, prefix, { limit: OBJECTS_HELD_MAX })) {
      // Read after the listing, the file names the jobs of all listed objects that it needs.
      const isSelected = await this.selectionOf(removal);
      if (isSelected === null) return;
      const held = page.objects.filter(isSelected);
      await this.objects.deleteMany(held.map(({ key }) => key));
      this.metrics.objects.add(held.length);
      this.metrics.bytes.add(held.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    }
  }

  /**
   * Selects the objects to remove; null for none. If the file exists, it selects only replaced outputs, or bytes over the limit.
   */
  private async selectionOf({ tenantId, fileId, reason, hasFile }: Removal): Promise<Selection | null> {
    if (!hasFile) return () => true;
    if (reason !== 'too_large' && reason !== 'superseded') return null;
    const kept = await this.removals.keptObjects(tenantId, fileId);
    const source = sourceKey(tenantId, fileId);
    if (reason === 'too_large')
      return ({ key, sizeBytes }) =>
        key === source && (kept?.hasOwnSource === false || sizeBytes > this.uploadBytesMax);
    if (kept === null) return () => true;
    return ({ key }) => !(kept.hasOwnSource && key === source) && isSuperseded(key, kept);
  }
}
