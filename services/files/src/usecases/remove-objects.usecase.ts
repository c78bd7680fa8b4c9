// Removes from storage what deleted files have left, however often that must be tried. What is found here is listed and not
// remembered: so nothing stays that a run or an upload wrote without telling anybody.
import { sourceKey } from '@kiln/contracts';
import type { Logger } from '@kiln/platform';
import { listPages, type ListedObject, type ObjectStore } from '@kiln/storage';
import { isSuperseded } from '../domain/superseded.js';
import { RemovalStore, type Removal } from '../store/removal.store.js';

export interface RemovalCounters {
  objects: { inc(count: number): void };
  bytes: { inc(count: number): void };
}

const BATCH_SIZE = 100;
/** Listings at a time. */
const CONCURRENCY = 10;
/** Longer than listing and deleting a batch takes while storage answers slowly. */
const LEASE_SECONDS = 120;
/** Objects whose keys are held in memory; a file with more is emptied page by page. */
const OBJECTS_HELD_MAX = 1_000;

type Doomed = (object: ListedObject) => boolean;

export class RemoveObjects {
  constructor(
    private readonly removals: RemovalStore,
    private readonly objects: ObjectStore,
    private readonly counters: RemovalCounters,
    private readonly logger: Logger,
    private readonly uploadBytesMax: number,
  ) {}

  /** One batch; true when there may be more. */
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
      await this.removals.settle([removal]);
    } catch (error) {
      const { fileId, attempts } = removal;
      this.logger.warn({ err: error, fileId, attempts }, 'objects not removed; it will be tried again');
      await this.removals.retryLater([removal]);
    }
  }

  private async remove(removal: Removal): Promise<void> {
    const doomed = await this.doomedOf(removal);
    if (doomed === null) return;
    const prefix = `${removal.tenantId}/${removal.fileId}/`;
    for await (const page of listPages(this.objects, prefix, { limit: OBJECTS_HELD_MAX })) {
      const held = page.objects.filter(doomed);
      await this.objects.deleteMany(held.map(({ key }) => key));
      this.counters.objects.inc(held.length);
      this.counters.bytes.inc(held.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    }
  }

  /** Which objects are to go; null when none: of a file that exists only what it has replaced, and bytes over the limit. */
  private async doomedOf({ tenantId, fileId, reason, hasFile }: Removal): Promise<Doomed | null> {
    if (!hasFile) return () => true;
    if (reason === 'too_large')
      return ({ key, sizeBytes }) => key === sourceKey(tenantId, fileId) && sizeBytes > this.uploadBytesMax;
    if (reason !== 'superseded') return null;
    const kept = await this.removals.keptObjects(tenantId, fileId);
    if (kept === null) return () => true;
    const source = sourceKey(tenantId, fileId);
    return ({ key }) => key !== source && isSuperseded(key, kept);
  }
}
