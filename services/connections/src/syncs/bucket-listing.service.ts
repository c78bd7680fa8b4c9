// Lists the part of a bucket that belongs to one claim. A page and its checkpoint are committed together, and the next claim resumes
// there. The checkpoint contains the provider's token, because only the provider knows its order of keys.
import { Inject, Injectable } from '@nestjs/common';
import type { BucketAccess, OpenBucket } from '../connections/bucket-access.service.js';
import { ruleCheck } from '../connections/object-rules.domain.js';
import type { BucketPage } from '../external-buckets/external-bucket.port.js';
import { isStorableKey, nodesOfPage, rootOf } from '../nodes/listed-nodes.domain.js';
import { listedTwice, ListingValidator } from './domain/listing-validator.js';
import { assertInTime, assertMakesProgress, tooManyObjects, type SyncLimits } from './domain/sync-limits.js';
import { NodeCountStore } from './node-count.store.js';
import type { SyncRow } from './sync.rows.js';
import { SyncPageStore, type Page } from './sync-page.store.js';
import { leaseOf, SyncStore, type SyncLease } from './sync.store.js';

/** Injection token of the access with the timeout of a sync. */
export const SYNC_ACCESS = Symbol('sync access');
/** Injection token of the limits. */
export const SYNC_LIMITS = Symbol('sync limits');

export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

const PAGE_SIZE = 1_000;

@Injectable()
export class BucketListing {
  constructor(
    private readonly syncs: SyncStore,
    private readonly pages: SyncPageStore,
    private readonly counts: NodeCountStore,
    @Inject(SYNC_ACCESS) private readonly access: BucketAccess,
    @Inject(SYNC_LIMITS) private readonly limits: SyncLimits,
  ) {}

  /** True once the whole bucket is listed; false when the claim has used its share. Throws LeaseLostError and BucketError. */
  async advance(sync: SyncRow, signal: AbortSignal): Promise<boolean> {
    if (sync.nodes_before === null) await this.countBefore(sync, signal);
    const list = (opened: OpenBucket) => this.list(opened, sync, signal);
    const isListed = await this.access.use(sync.tenant_id, sync.connection_id, list);
    // The connection was deleted, which cancelled the sync.
    if (isListed === null) throw new LeaseLostError();
    return isListed;
  }

  private async countBefore(sync: SyncRow, signal: AbortSignal): Promise<void> {
    const { counts, pages } = this;
    const { tenant_id: tenantId, connection_id: connectionId } = sync;
    const { nodes } = await counts.count({ tenantId, connectionId, since: new Date() }, signal);
    if (!(await pages.storeNodesBefore(leaseOf(sync), nodes))) throw new LeaseLostError();
  }

  private async list({ bucket, connection }: OpenBucket, sync: SyncRow, signal: AbortSignal): Promise<boolean> {
    const { limits } = this;
    // The next claim begins again, with the new credentials.
    if (sync.connection_version !== null && connection.version !== sync.connection_version) return false;
    const { prefix } = connection;
    const root = rootOf(prefix);
    const isSorted = connection.listing_order === 'sorted';
    const excludedBy = ruleCheck(connection.rules);
    const validator = new ListingValidator(isSorted ? bucket.keyOrders : null, sync.position, sync.next_cursor);
    const shareEnds = Date.now() + limits.claimMs;
    // Folders of the previous page. The order of keys keeps the contents of a folder together.
    let known: ReadonlySet<string> = new Set();
    let cursor = sync.next_cursor;
    let pages = 0;
    let requestedAt = await this.pages.now();
    do {
      signal.throwIfAborted();
      assertInTime(sync, limits);
      const page = await bucket.list({ prefix, cursor: cursor ?? undefined, limit: PAGE_SIZE, signal });
      validator.accept(page);
      if (!isSorted) await this.assertFirstSeen(sync, page);
      const { folders, ...nodes } = nodesOfPage(page.objects, root, known);
      known = folders;
      cursor = page.next;
      requestedAt = await this.commit(sync, page, { ...nodes, excluded: excludedBy(page.objects), requestedAt });
      pages++;
    } while (cursor !== null && pages < limits.pagesPerClaim && Date.now() < shareEnds);
    return cursor === null;
  }

  /** In a listing without an order, a key that an earlier page contained shows that a page was repeated. */
  private async assertFirstSeen(sync: SyncRow, { objects }: BucketPage): Promise<void> {
    const keys = objects.map(({ key }) => key).filter(isStorableKey);
    if (await this.pages.hasSeen(leaseOf(sync), sync.connection_id, keys)) throw listedTwice();
  }

  /** Returns when the page was committed. */
  private async commit(
    sync: SyncRow,
    { objects, next }: BucketPage,
    nodes: Omit<ReturnType<typeof nodesOfPage>, 'folders'> & Pick<Page, 'excluded' | 'requestedAt'>,
  ): Promise<Date> {
    const { pages, limits } = this;
    const lease = leaseOf(sync);
    const last = objects.findLast(({ key }) => key.isWellFormed() && !key.includes('\0'));
    const page = { ...nodes, position: last?.key ?? null, nextCursor: next };
    const committed = await pages.commit(lease, sync.connection_id, page, limits.nodes);
    if (committed === null) throw (await this.isHeld(lease)) ? tooManyObjects(limits) : new LeaseLostError();
    if (committed.skipped > limits.nodes) throw tooManyObjects(limits);
    assertMakesProgress(committed.empty_pages, limits);
    return committed.committed_at;
  }

  private async isHeld({ tenantId, id, fence }: SyncLease): Promise<boolean> {
    const sync = await this.syncs.find(tenantId, id);
    return sync?.fence === fence && sync.status === 'syncing';
  }
}
