// An inventory is a snapshot, and may lack objects that were written shortly before it. Before a sync removes nodes that an inventory lacks, the
// bucket is asked for their objects.
import { Inject, Injectable } from '@nestjs/common';
import type { BucketAccess, OpenBucket } from '../connections/bucket-access.service.js';
import { lookUpObjects } from '../external-buckets/look-up-objects.service.js';
import { assertInTime, type SyncLimits } from './domain/sync-limits.js';
import { LeaseLostError } from './lease-lost.errors.js';
import { MarkedNodeStore } from './marked-node.store.js';
import { SYNC_ACCESS, SYNC_LIMITS } from './sync-tokens.config.js';
import type { SyncRow } from './sync.rows.js';
import { leaseOf } from './sync.store.js';
import { REMOVAL_START, UnlistedNodeStore } from './unlisted-node.store.js';

const FILES_PER_BATCH = 1_000;
const FOLDERS_PER_STATEMENT = 10_000;

@Injectable()
export class PresentObjects {
  constructor(
    private readonly marked: MarkedNodeStore,
    private readonly nodes: UnlistedNodeStore,
    @Inject(SYNC_ACCESS) private readonly access: BucketAccess,
    @Inject(SYNC_LIMITS) private readonly limits: SyncLimits,
  ) {}

  /**
   * Removes the marked files whose objects are gone, and the marks of the others and of folders that contain a file. Throws LeaseLostError and
   * BucketError.
   */
  async removeGone(sync: SyncRow, signal: AbortSignal): Promise<void> {
    const lookUp = (opened: OpenBucket) => this.lookUp(sync, opened, signal);
    if ((await this.access.use(sync.tenant_id, sync.connection_id, lookUp)) === null) throw new LeaseLostError();
    await this.keepFolders(sync, signal);
  }

  private async lookUp(sync: SyncRow, { bucket, connection }: OpenBucket, signal: AbortSignal): Promise<true> {
    const [lease, connectionId] = [leaseOf(sync), connection.id];
    const options = { isSorted: connection.listing_order === 'sorted', signal };
    for (let after: string | undefined = REMOVAL_START.id; after !== undefined;) {
      assertInTime(sync, this.limits);
      const files = await this.marked.files(lease, connectionId, after, FILES_PER_BATCH);
      const paths = files.map(({ path }) => path);
      const { objects, gone } = await lookUpObjects(bucket, paths, options);
      const present = objects.map(({ key }) => key);
      if (!(await this.marked.keep(lease, connectionId, present))) throw new LeaseLostError();
      // The first marked files are now those that are gone.
      const removed = await this.nodes.remove(lease, connectionId, { isFile: true, id: after }, gone.length);
      if (removed === 'lost') throw new LeaseLostError();
      after = files.length < FILES_PER_BATCH ? undefined : files.at(-1)?.id;
    }
    return true;
  }

  /** A folder may contain a file that was seen after the inventory was made. */
  private async keepFolders(sync: SyncRow, signal: AbortSignal): Promise<void> {
    for (let after: { id: string } | null = REMOVAL_START; after !== null;) {
      signal.throwIfAborted();
      const checked: { id: string } | null | 'lost' = await this.marked.keepFolders(
        leaseOf(sync),
        sync.connection_id,
        after.id,
        FOLDERS_PER_STATEMENT,
      );
      if (checked === 'lost') throw new LeaseLostError();
      after = checked;
    }
  }
}
