// Lists the part of a bucket that belongs to one claim: the ranges of its listing, several at a time.
import { Inject, Injectable } from '@nestjs/common';
import type { BucketAccess, OpenBucket } from '../connections/bucket-access.service.js';
import type { TenantSlots } from '../external-buckets/domain/tenant-slots.js';
import { BeginListing } from './begin-listing.step.js';
import { limitsOf, type SyncLimits } from './domain/sync-limits.js';
import { InventoryListing } from './inventory-listing.service.js';
import { LeaseLostError } from './lease-lost.errors.js';
import { RangeListing, type Listing } from './range-listing.service.js';
import { inventoryOf, listedVersion, listsByRange, rangesOf, type SyncRow } from './sync.rows.js';
import type { RangeOfPage } from './sync-page.store.js';
import { SYNC_ACCESS, SYNC_LIMITS, SYNC_REQUESTS } from './sync-tokens.config.js';

export interface AdvancedListing {
  /** With the mode and the number of nodes that the beginning of the listing has stored. */
  sync: SyncRow;
  /** Whether the whole bucket is listed. */
  isListed: boolean;
}

@Injectable()
export class BucketListing {
  constructor(
    private readonly begin: BeginListing,
    private readonly listings: RangeListing,
    private readonly inventories: InventoryListing,
    @Inject(SYNC_ACCESS) private readonly access: BucketAccess,
    @Inject(SYNC_LIMITS) private readonly limits: SyncLimits,
    @Inject(SYNC_REQUESTS) private readonly requests: TenantSlots,
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
    const limits = limitsOf(connection, this.limits);
    const sync = await this.begin.execute(claimed, opened, limits.requests > 1, signal);
    // A listing that began by ranges keeps to its order.
    const orders = listsByRange(sync) || connection.listing_order === 'sorted' ? bucket.keyOrders : null;
    const listing = { sync, opened, limits, orders, alone: oneAfterAnother() };
    const inventory = inventoryOf(sync);
    const isListed = inventory
      ? this.inventories.advance(listing, inventory, signal)
      : this.listRanges(listing, signal);
    return { sync, isListed: await isListed };
  }

  /** Returns whether all ranges are listed to their ends. */
  private async listRanges(listing: Listing, signal: AbortSignal): Promise<boolean> {
    const { sync, limits } = listing;
    const isSplit = listsByRange(sync) && sync.ranges !== null;
    const ranges = rangesOf(sync).map((range, at): RangeOfPage => ({ number: isSplit ? at : null, range }));
    const open = ranges.filter(({ range }) => !range.listed);
    const isNew = listsByRange(sync) && !isSplit && sync.position === null && limits.requests > 1;
    const share = {
      pagesMax: Math.min(limits.pagesPerClaim, isNew ? limits.pagesBeforeSplit : Infinity),
      until: Date.now() + limits.claimMs,
    };
    const count = open.length;
    let listed = 0;
    // A bucket that fails may be throttling its clients.
    const requestsMax = sync.bucket_failures > 0 ? 1 : Math.min(limits.requests, count);
    await this.withRequests(sync.tenant_id, requestsMax, signal, async (whileNoneFails) => {
      for (
        let pages = 0, next = open.shift();
        next !== undefined;
        next = hasLeft(share, pages) ? open.shift() : undefined
      ) {
        let current = await this.listings.open(listing, next);
        // The next claim splits a range that is left alone.
        let alone = 0;
        do {
          current = await this.listings.advance(listing, current, whileNoneFails);
          pages++;
          alone += count > 1 && listed === count - 1 ? 1 : 0;
        } while (!current.range.listed && alone < limits.pagesBeforeSplit && hasLeft(share, pages));
        listed += current.range.listed ? 1 : 0;
      }
    });
    return listed === count;
  }

  /** Calls `work` as many times as requests may be sent at a time. When one fails, the others are aborted, and the failure is thrown after them. */
  private async withRequests(
    tenantId: string,
    requestsMax: number,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    let slots = 0;
    while (slots < requestsMax - 1 && this.requests.take(tenantId)) slots++;
    const failed = new AbortController();
    const whileNoneFails = AbortSignal.any([signal, failed.signal]);
    const works = Array.from({ length: slots + 1 }, async () => {
      try {
        await work(whileNoneFails);
      } catch (error) {
        failed.abort(error);
      }
    });
    await Promise.all(works);
    for (; slots > 0; slots--) this.requests.release(tenantId);
    failed.signal.throwIfAborted();
  }
}

const hasLeft = ({ pagesMax, until }: { pagesMax: number; until: number }, pages: number): boolean =>
  pages < pagesMax && Date.now() < until;

function oneAfterAnother(): Listing['alone'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
