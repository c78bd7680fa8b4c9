// Lists the part of a bucket that belongs to one claim. A page and its checkpoint are committed together, and the next claim resumes
// there. The checkpoint contains the provider's token, because only the provider knows its order of keys.
//
// Where the order of keys is that of the stored paths, a page covers a range of paths, and the nodes of the range that the page does not contain
// are marked as unlisted before the page is committed. Otherwise each listed node is marked as seen, and the others are found after the listing.
import { utf8Order } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import type { BucketAccess, OpenBucket } from '../connections/bucket-access.service.js';
import { ruleCheck } from '../connections/object-rules.domain.js';
import type { BucketPage } from '../external-buckets/external-bucket.port.js';
import { isStorableKey, nodesOfPage, rootOf } from '../nodes/listed-nodes.domain.js';
import { listedTwice, ListingValidator } from './domain/listing-validator.js';
import { assertInTime, assertMakesProgress, limitsOf, tooManyObjects, type SyncLimits } from './domain/sync-limits.js';
import { LeaseLostError } from './lease-lost.errors.js';
import { NodeCountStore } from './node-count.store.js';
import { listedVersion, listsByRange, type SyncRow } from './sync.rows.js';
import { SyncPageStore, type Page } from './sync-page.store.js';
import { leaseOf, SyncStore, type SyncLease } from './sync.store.js';
import type { PathRange } from './unlisted-node.store.js';
import { UnlistedNodes } from './unlisted-nodes.service.js';

/** Injection token of the access with the timeout of a sync. */
export const SYNC_ACCESS = Symbol('sync access');
/** Injection token of the limits. */
export const SYNC_LIMITS = Symbol('sync limits');

const PAGE_SIZE = 1_000;

export interface AdvancedListing {
  /** With the mode and the number of nodes that the beginning of the listing has stored. */
  sync: SyncRow;
  /** Whether the whole bucket is listed. */
  isListed: boolean;
}

@Injectable()
export class BucketListing {
  constructor(
    private readonly syncs: SyncStore,
    private readonly pages: SyncPageStore,
    private readonly counts: NodeCountStore,
    private readonly unlisted: UnlistedNodes,
    @Inject(SYNC_ACCESS) private readonly access: BucketAccess,
    @Inject(SYNC_LIMITS) private readonly limits: SyncLimits,
  ) {}

  /** Lists until the bucket ends, or the share of the claim. Throws LeaseLostError and BucketError. */
  async advance(sync: SyncRow, signal: AbortSignal): Promise<AdvancedListing> {
    const list = (opened: OpenBucket) => this.list(opened, sync, signal);
    const advanced = await this.access.use(sync.tenant_id, sync.connection_id, list);
    // The connection was deleted, which cancelled the sync.
    if (advanced === null) throw new LeaseLostError();
    return advanced;
  }

  private async list(opened: OpenBucket, claimed: SyncRow, signal: AbortSignal): Promise<AdvancedListing> {
    const { bucket, connection } = opened;
    const version = listedVersion(claimed);
    // The next claim begins again, with the new credentials.
    if (version !== null && connection.version !== version) return { sync: claimed, isListed: false };
    const sync = claimed.nodes_before === null ? await this.begin(claimed, opened, signal) : claimed;
    const limits = limitsOf(connection, this.limits);
    const { prefix } = connection;
    const root = rootOf(prefix);
    const excludedBy = ruleCheck(connection.rules);
    const byRange = listsByRange(sync);
    // A listing that began by ranges keeps to its order.
    const orders = byRange || connection.listing_order === 'sorted' ? bucket.keyOrders : null;
    const validator = new ListingValidator(orders, sync.position, sync.next_cursor);
    const shareEnds = Date.now() + limits.claimMs;
    // Folders of the previous page. The order of keys keeps the contents of a folder together.
    let known: ReadonlySet<string> = new Set();
    let { position, next_cursor: cursor } = sync;
    let pages = 0;
    let requestedAt = await this.pages.now();
    do {
      signal.throwIfAborted();
      assertInTime(sync, limits);
      const page = await bucket.list({ prefix, cursor: cursor ?? undefined, limit: PAGE_SIZE, signal });
      validator.accept(page);
      if (orders === null) await this.assertFirstSeen(sync, page);
      const { folders, ...nodes } = nodesOfPage(page.objects, root, known);
      const listed = { ...nodes, excluded: excludedBy(page.objects) };
      known = folders;
      cursor = page.next;
      const upTo = lastKeyOf(page) ?? position;
      const range: PathRange = { after: position ?? '', upTo: cursor === null ? null : (upTo ?? '') };
      position = upTo;
      // A connection without nodes has none to compare.
      const changed =
        byRange && sync.nodes_before !== 0 ? await this.unlisted.compare(sync, range, listed, signal) : listed.nodes;
      requestedAt = await this.commit(sync, page, { ...listed, changed, requestedAt }, limits);
      pages++;
    } while (cursor !== null && pages < limits.pagesPerClaim && Date.now() < shareEnds);
    return { sync, isListed: cursor === null };
  }

  private async begin(sync: SyncRow, { bucket, connection }: OpenBucket, signal: AbortSignal): Promise<SyncRow> {
    const { counts, pages } = this;
    const { tenant_id: tenantId, connection_id: connectionId } = sync;
    const byRange = connection.listing_order === 'sorted' && bucket.keyOrders.every((order) => order === utf8Order);
    const nodes = await counts.countAll({ tenantId, connectionId }, signal);
    const begun = await pages.begin(leaseOf(sync), nodes, byRange);
    if (begun === null) throw new LeaseLostError();
    return begun;
  }

  /** In a listing without an order, a key that an earlier page contained shows that a page was repeated. */
  private async assertFirstSeen(sync: SyncRow, { objects }: BucketPage): Promise<void> {
    const keys = objects.map(({ key }) => key).filter(isStorableKey);
    if (await this.pages.hasSeen(leaseOf(sync), sync.connection_id, keys)) throw listedTwice();
  }

  /** Returns when the page was committed. */
  private async commit(
    sync: SyncRow,
    listed: BucketPage,
    nodes: Omit<Page, 'position' | 'nextCursor'>,
    limits: SyncLimits,
  ): Promise<Date> {
    const { pages } = this;
    const lease = leaseOf(sync);
    const page = { ...nodes, position: lastKeyOf(listed), nextCursor: listed.next };
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

/** Null for a page without a key that can be compared with paths. */
const lastKeyOf = ({ objects }: BucketPage): string | null =>
  objects.findLast(({ key }) => key.isWellFormed() && !key.includes('\0'))?.key ?? null;
