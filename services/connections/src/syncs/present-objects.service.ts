// An inventory is a snapshot, and may lack objects that were written shortly before it. Before a sync removes nodes that an inventory lacks, the
// bucket is asked for their objects.
import { Inject, Injectable } from '@nestjs/common';
import type { BucketAccess, OpenBucket } from '../connections/bucket-access.service.js';
import { lookUpObjects } from '../external-buckets/look-up-objects.service.js';
import { foldersOf, rootOf } from '../nodes/listed-nodes.domain.js';
import { assertInTime, type SyncLimits } from './domain/sync-limits.js';
import { LeaseLostError } from './lease-lost.errors.js';
import { SYNC_ACCESS, SYNC_LIMITS } from './sync-tokens.config.js';
import type { SyncRow } from './sync.rows.js';
import { leaseOf } from './sync.store.js';
import { REMOVAL_START, UnlistedNodeStore } from './unlisted-node.store.js';

const NODES_PER_BATCH = 1_000;

@Injectable()
export class PresentObjects {
  constructor(
    private readonly nodes: UnlistedNodeStore,
    @Inject(SYNC_ACCESS) private readonly access: BucketAccess,
    @Inject(SYNC_LIMITS) private readonly limits: SyncLimits,
  ) {}

  /** Removes the marks of nodes whose objects exist, and of their folders. Throws LeaseLostError and BucketError. */
  async keep(sync: SyncRow, signal: AbortSignal): Promise<void> {
    const lookUp = (opened: OpenBucket) => this.lookUp(sync, opened, signal);
    if ((await this.access.use(sync.tenant_id, sync.connection_id, lookUp)) === null) throw new LeaseLostError();
  }

  private async lookUp(sync: SyncRow, { bucket, connection }: OpenBucket, signal: AbortSignal): Promise<true> {
    const { id: connectionId, prefix, listing_order } = connection;
    const options = { isSorted: listing_order === 'sorted', signal };
    for (let after: string | undefined = REMOVAL_START.id; after !== undefined;) {
      assertInTime(sync, this.limits);
      const marked = await this.nodes.markedFiles(leaseOf(sync), connectionId, after, NODES_PER_BATCH);
      const paths = marked.map(({ path }) => path);
      const present = (await lookUpObjects(bucket, paths, options)).objects.map(({ key }) => key);
      const kept = new Set([...present, ...present.flatMap((key) => foldersOf(key, rootOf(prefix)))]);
      if (!(await this.nodes.keep(leaseOf(sync), connectionId, [...kept]))) throw new LeaseLostError();
      after = marked.length < NODES_PER_BATCH ? undefined : marked.at(-1)?.id;
    }
    return true;
  }
}
