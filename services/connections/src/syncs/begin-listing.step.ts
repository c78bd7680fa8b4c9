// Begins the listing of a sync: counts the nodes, and chooses between an inventory and a listing, and how the pages of a listing are compared.
import { utf8Order } from '@kiln/storage';
import { Injectable } from '@nestjs/common';
import type { OpenBucket } from '../connections/bucket-access.service.js';
import { InventoryListing } from './inventory-listing.service.js';
import { LeaseLostError } from './lease-lost.errors.js';
import { ListingRanges } from './listing-ranges.service.js';
import { NodeCountStore } from './node-count.store.js';
import { SyncPageStore } from './sync-page.store.js';
import type { SyncRow } from './sync.rows.js';
import { leaseOf } from './sync.store.js';

@Injectable()
export class BeginListing {
  constructor(
    private readonly pages: SyncPageStore,
    private readonly counts: NodeCountStore,
    private readonly ranges: ListingRanges,
    private readonly inventories: InventoryListing,
  ) {}

  /** The sync with its listing, which is split where it can be if `mayBeSplit`. Throws LeaseLostError and BucketError. */
  async execute(claimed: SyncRow, opened: OpenBucket, mayBeSplit: boolean, signal: AbortSignal): Promise<SyncRow> {
    const begun =
      claimed.nodes_before === null ? await this.begin(claimed, opened, signal) : { sync: claimed, sample: [] };
    return mayBeSplit ? this.ranges.split(begun.sync, opened, begun.sample, signal) : begun.sync;
  }

  private async begin(sync: SyncRow, opened: OpenBucket, signal: AbortSignal) {
    const { tenant_id: tenantId, connection_id: connectionId } = sync;
    const { bucket, connection } = opened;
    const byRange = connection.listing_order === 'sorted' && bucket.keyOrders.every((order) => order === utf8Order);
    const found = await this.inventories.newest(opened);
    const { nodes, sample } = await this.counts.countAll({ tenantId, connectionId }, signal);
    const begun = await this.pages.begin(leaseOf(sync), nodes, found ?? { byRange });
    if (begun === null) throw new LeaseLostError();
    return { sync: begun, sample };
  }
}
