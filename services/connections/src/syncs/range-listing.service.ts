// Lists one range of a bucket, page by page. A page and its checkpoint are committed together, and the next claim resumes there. The checkpoint
// contains the provider's token, because only the provider knows its order of keys.
//
// Where the order of keys is that of the stored paths, a page covers a range of paths, and the nodes of the range that the page does not contain
// are marked as unlisted before the page is committed. Otherwise each listed node is marked as seen, and the others are found after the listing.
import { Injectable } from '@nestjs/common';
import type { OpenBucket } from '../connections/bucket-access.service.js';
import { ruleCheck } from '../connections/object-rules.domain.js';
import type { BucketPage } from '../external-buckets/external-bucket.port.js';
import { isStorableKey, nodesOfPage, rootOf } from '../nodes/listed-nodes.domain.js';
import { pageOfRange } from './domain/listing-range.js';
import { columnsOf, type NodeColumns } from '../nodes/node-columns.domain.js';
import { listedTwice, ListingValidator } from './domain/listing-validator.js';
import { assertInTime, assertMakesProgress, tooManyObjects, type SyncLimits } from './domain/sync-limits.js';
import { LeaseLostError } from './lease-lost.errors.js';
import { listsByRange, type SyncRow } from './sync.rows.js';
import { rangeAfterPage, SyncPageStore, type Page, type RangeOfPage } from './sync-page.store.js';
import { leaseOf, SyncStore, type SyncLease } from './sync.store.js';
import type { PathRange } from './unlisted-node.store.js';
import { UnlistedNodes } from './unlisted-nodes.service.js';

const PAGE_SIZE = 1_000;

/** A page of which nothing is stored yet. Pages are read while others are stored. */
interface ReadPage extends Omit<Page, 'requestedAt' | 'columns'> {
  keys: readonly string[];
  /** Of all nodes. Null if the stored ones are compared first. */
  columns: NodeColumns | null;
}

/** What the pages of one claim share. */
export interface Listing {
  sync: SyncRow;
  opened: OpenBucket;
  limits: SyncLimits;
  /** The orders that the listing may follow. Null: none. */
  orders: OpenBucket['bucket']['keyOrders'] | null;
  /** Runs the writes of pages one after another, so that a sync takes one connection of the database. */
  alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** A range while it is listed. */
export interface OpenRange extends RangeOfPage {
  validator: ListingValidator;
  /** A time of the database before the next page is requested. */
  requestedAt: Date;
}

@Injectable()
export class RangeListing {
  constructor(
    private readonly syncs: SyncStore,
    private readonly pages: SyncPageStore,
    private readonly unlisted: UnlistedNodes,
  ) {}

  async open({ orders }: Listing, { number, range }: RangeOfPage): Promise<OpenRange> {
    const validator = new ListingValidator(orders, range.position ?? (range.after || null), range.cursor);
    return { number, range, validator, requestedAt: await this.pages.now() };
  }

  /** Requests the next page of a range, and stores it. Throws LeaseLostError and BucketError. */
  async advance(listing: Listing, open: OpenRange, signal: AbortSignal): Promise<OpenRange> {
    signal.throwIfAborted();
    const { sync, limits, opened } = listing;
    const { bucket, connection } = opened;
    const { after: startAfter, cursor } = open.range;
    assertInTime(sync, limits);
    const request = { prefix: connection.prefix, startAfter, cursor: cursor ?? undefined, limit: PAGE_SIZE, signal };
    const page = await bucket.list(request);
    open.validator.accept(page);
    const listed = readPage(pageOfRange(page, open.range), connection, isCompared(sync));
    return listing.alone(() => this.store(listing, open, listed, signal));
  }

  private async store(listing: Listing, open: OpenRange, page: ReadPage, signal: AbortSignal): Promise<OpenRange> {
    const { sync, orders } = listing;
    const { range, requestedAt } = open;
    const { position, nextCursor } = page;
    if (orders === null) await this.assertFirstSeen(sync, page);
    const start = range.position ?? range.after;
    const covered: PathRange = { after: start, upTo: nextCursor === null ? range.upTo : (position ?? start) };
    const changed = async () => this.unlisted.compare(sync, covered, page, signal);
    const columns = page.columns ?? columnsOf(sync.connection_id, await changed(), page.excluded);
    const committedAt = await this.commit(listing, open, { ...page, columns, requestedAt });
    return { ...open, range: rangeAfterPage(range, page), requestedAt: committedAt };
  }

  /** Returns when the page was committed. Throws LeaseLostError, and BucketError beyond the limits of the sync. */
  async commit({ sync, limits }: Pick<Listing, 'sync' | 'limits'>, range: RangeOfPage, page: Page): Promise<Date> {
    const lease = leaseOf(sync);
    const committed = await this.pages.commit(lease, sync.connection_id, range, page, limits.nodes);
    if (committed === null) throw (await this.isHeld(lease)) ? tooManyObjects(limits) : new LeaseLostError();
    if (committed.skipped > limits.nodes) throw tooManyObjects(limits);
    assertMakesProgress(committed.empty_pages, limits);
    return committed.committed_at;
  }

  /** In a listing without an order, a key that an earlier page contained shows that a page was repeated. */
  private async assertFirstSeen(sync: SyncRow, { keys }: ReadPage): Promise<void> {
    if (await this.pages.hasSeen(leaseOf(sync), sync.connection_id, keys.filter(isStorableKey))) throw listedTwice();
  }

  private async isHeld({ tenantId, id, fence }: SyncLease): Promise<boolean> {
    const sync = await this.syncs.find(tenantId, id);
    return sync?.fence === fence && sync.status === 'syncing';
  }
}

/** A connection without nodes has none to compare. */
const isCompared = (sync: SyncRow): boolean => listsByRange(sync) && sync.nodes_before !== 0;

function readPage(
  { objects, next }: Pick<BucketPage, 'objects' | 'next'>,
  { id, prefix, rules }: OpenBucket['connection'],
  isCompared: boolean,
): ReadPage {
  const keys = objects.map(({ key }) => key);
  const read = nodesOfPage(objects, rootOf(prefix));
  const excluded = ruleCheck(rules)(objects);
  return {
    ...read,
    excluded,
    columns: isCompared ? null : columnsOf(id, read.nodes, excluded),
    keys,
    // Null for a page without a key that can be compared with paths.
    position: keys.findLast((key) => key.isWellFormed() && !key.includes('\0')) ?? null,
    nextCursor: next,
  };
}
