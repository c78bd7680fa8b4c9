// Reads an inventory of a bucket in place of a listing. Such a listing began when the inventory was made: nodes that were seen since then keep
// their version, and are not removed. A page of objects is committed with its checkpoint, which is the file and the rows that were read of it.
import { Inject, Injectable } from '@nestjs/common';
import type { BucketAccess, OpenBucket } from '../connections/bucket-access.service.js';
import { ruleCheck } from '../connections/object-rules.domain.js';
import { inventoryAt, inventoryRows, newestInventory } from '../external-buckets/bucket-inventory.adapter.js';
import { BucketError } from '../external-buckets/domain/bucket-error.js';
import type { InventoryManifest, InventoryOfSync } from '../external-buckets/domain/inventory-manifest.js';
import type { BucketObject, ExternalBucket } from '../external-buckets/external-bucket.port.js';
import { nodesOfPage, rootOf } from '../nodes/listed-nodes.domain.js';
import { inventoryCursor, inventoryPlaceOf, type PlaceInInventory } from './domain/inventory-cursor.js';
import { rangeToEnd } from './domain/listing-range.js';
import { columnsOf } from '../nodes/node-columns.domain.js';
import { assertInTime } from './domain/sync-limits.js';
import { RangeListing, type Listing } from './range-listing.service.js';
import { SYNC_ACCESS } from './sync-tokens.config.js';

const PAGE_SIZE = 1_000;

interface Reading {
  listing: Listing;
  bucket: ExternalBucket;
  manifest: InventoryManifest;
  /** When the share of the claim ends. It begins at the first row that was not read before. */
  until: number | null;
}

@Injectable()
export class InventoryListing {
  constructor(
    private readonly listings: RangeListing,
    @Inject(SYNC_ACCESS) private readonly access: BucketAccess,
  ) {}

  /** The newest inventory of the bucket. Null when the connection has none that is new enough. Throws BucketError. */
  async newest({ connection }: OpenBucket): Promise<{ inventory: InventoryOfSync; createdAt: Date } | null> {
    const { inventory: place } = connection;
    if (place === null) return null;
    const name = place.bucket ?? connection.bucket;
    const found = await this.access.useOther(connection, name, (bucket) =>
      newestInventory(bucket, place, connection.bucket),
    );
    return found && { inventory: { bucket: name, key: found.key }, createdAt: found.manifest.createdAt };
  }

  /** Reads to the end of the inventory, or of the share of the claim. Returns whether it is read to its end. Throws LeaseLostError and BucketError. */
  async advance(listing: Listing, { bucket: name, key }: InventoryOfSync, signal: AbortSignal): Promise<boolean> {
    const { sync, opened } = listing;
    return this.access.useOther(opened.connection, name, async (bucket) => {
      const manifest = await inventoryAt(bucket, key, opened.connection.bucket);
      if (manifest === null)
        throw new BucketError('listing_incomplete', 'The inventory was deleted while it was read.');
      const reading: Reading = { listing, bucket, manifest, until: null };
      let place = inventoryPlaceOf(sync.next_cursor);
      do {
        signal.throwIfAborted();
        const next = await this.readFile(reading, place, signal);
        if (next === null) return true;
        place = next;
      } while (reading.until === null || Date.now() < reading.until);
      return false;
    });
  }

  /** Returns where the reading continues. Null at the end of the last file. */
  private async readFile(
    reading: Reading,
    place: PlaceInInventory,
    signal: AbortSignal,
  ): Promise<PlaceInInventory | null> {
    const { listing, bucket, manifest } = reading;
    const { connection } = listing.opened;
    const file = manifest.files[place.file];
    const next = place.file + 1 < manifest.files.length ? { file: place.file + 1, rows: 0 } : null;
    let objects = new Map<string, BucketObject>();
    let { rows } = place;
    // The inventory of an empty bucket has no file.
    const found = file ? inventoryRows(bucket, file, manifest, { source: connection.bucket, after: rows, signal }) : [];
    for await (const object of found) {
      rows += 1;
      reading.until ??= Date.now() + listing.limits.claimMs;
      if (object?.key.startsWith(connection.prefix)) objects.set(object.key, object);
      if (objects.size < PAGE_SIZE) continue;
      const reached = { file: place.file, rows };
      await this.store(reading, objects, reached);
      if (Date.now() >= reading.until) return reached;
      objects = new Map();
    }
    // The file is whole.
    await this.store(reading, objects, next);
    return next;
  }

  private async store(
    { listing, manifest }: Reading,
    found: ReadonlyMap<string, BucketObject>,
    next: PlaceInInventory | null,
  ): Promise<void> {
    const { sync, opened, limits } = listing;
    const { prefix, rules } = opened.connection;
    assertInTime(sync, limits);
    const objects = [...found.values()];
    const read = nodesOfPage(objects, rootOf(prefix));
    const excluded = ruleCheck(rules)(objects);
    const listed = { ...read, excluded, columns: columnsOf(sync.connection_id, read.nodes, excluded) };
    // Rows have no order, so the position means nothing. It is not null, because a file without a matching row is no sign of a listing without end.
    const page = { ...listed, position: '', nextCursor: inventoryCursor(next), requestedAt: manifest.createdAt };
    await this.listings.commit(listing, { number: null, range: rangeToEnd(null, null) }, page);
  }
}
