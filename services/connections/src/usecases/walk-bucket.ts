// One claim's share of a listing. A page and the place where it ends are committed together, so the next claim goes on there, by the
// provider's own token: only the provider knows what its order of keys is.
import { ListingProof } from '../domain/listing-proof.js';
import { nodesOfPage, rootOf } from '../domain/listed-nodes.js';
import { assertInTime, assertMakesProgress, tooManyObjects, type SyncLimits } from '../domain/sync-limits.js';
import type { BucketPage } from '../domain/bucket.port.js';
import type { NodeCountStore } from '../store/node-count.store.js';
import type { SyncPageStore } from '../store/sync-page.store.js';
import type { SyncRow } from '../store/sync.rows.js';
import { leaseOf, type SyncLease, type SyncStore } from '../store/sync.store.js';
import type { BucketAccess, OpenBucket } from './bucket-access.js';

export interface WalkBucketParts {
  syncs: SyncStore;
  pages: SyncPageStore;
  counts: NodeCountStore;
  access: BucketAccess;
  limits: SyncLimits;
}

export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

const PAGE_SIZE = 1_000;

export class WalkBucket {
  constructor(private readonly parts: WalkBucketParts) {}

  /** True once the whole bucket is listed; false when the claim has had its share. Throws LeaseLostError and BucketError. */
  async execute(sync: SyncRow, signal: AbortSignal): Promise<boolean> {
    if (sync.nodes_before === null) await this.countBefore(sync, signal);
    const walk = (opened: OpenBucket) => this.walk(opened, sync, signal);
    const listed = await this.parts.access.use(sync.tenant_id, sync.connection_id, walk);
    // Deleted: its syncs are cancelled, and this claim is lost.
    if (listed === null) throw new LeaseLostError();
    return listed;
  }

  private async countBefore(sync: SyncRow, signal: AbortSignal): Promise<void> {
    const { counts, pages } = this.parts;
    const { tenant_id: tenantId, connection_id: connectionId } = sync;
    const { nodes } = await counts.count({ tenantId, connectionId, since: new Date() }, signal);
    if (!(await pages.noteNodesBefore(leaseOf(sync), nodes))) throw new LeaseLostError();
  }

  private async walk({ bucket, connection }: OpenBucket, sync: SyncRow, signal: AbortSignal): Promise<boolean> {
    const { limits } = this.parts;
    const { prefix } = connection;
    const root = rootOf(prefix);
    const proof = new ListingProof(bucket.keyOrders, sync.position, sync.next_cursor);
    const shareEnds = Date.now() + limits.claimMs;
    // Those of the page before, which this one goes on with: the order of keys keeps what lies in a folder together.
    let known: ReadonlySet<string> = new Set();
    let cursor = sync.next_cursor;
    let pages = 0;
    do {
      signal.throwIfAborted();
      assertInTime(sync.started_at, limits);
      const page = await bucket.list({ prefix, cursor: cursor ?? undefined, limit: PAGE_SIZE, signal });
      proof.accept(page);
      const { folders, ...nodes } = nodesOfPage(page.objects, root, known);
      known = folders;
      cursor = page.next;
      await this.commit(sync, page, nodes);
      pages++;
    } while (cursor !== null && pages < limits.pagesPerClaim && Date.now() < shareEnds);
    return cursor === null;
  }

  private async commit(
    sync: SyncRow,
    { objects, next }: BucketPage,
    nodes: Omit<ReturnType<typeof nodesOfPage>, 'folders'>,
  ): Promise<void> {
    const { pages, limits } = this.parts;
    const lease = leaseOf(sync);
    const page = { ...nodes, position: objects.at(-1)?.key ?? null, nextCursor: next };
    const committed = await pages.commit(lease, sync.connection_id, page, limits.nodes);
    if (committed === null) throw (await this.isHeld(lease)) ? tooManyObjects(limits) : new LeaseLostError();
    if (committed.skipped > limits.nodes) throw tooManyObjects(limits);
    assertMakesProgress(committed.empty_pages, limits);
  }

  private async isHeld({ tenantId, id, fence }: SyncLease): Promise<boolean> {
    const sync = await this.parts.syncs.find(tenantId, id);
    return sync?.fence === fence && sync.status === 'syncing';
  }
}
