// Finds the newest inventory of a bucket, and reads the objects in its files. Nothing is held in memory but the current rows.
import type { BucketCredentials } from '@kiln/contracts';
import type { BucketOpener, OpenOptions } from './bucket-opener.service.js';
import { BucketError } from './domain/bucket-error.js';
import type { BucketPlace } from './domain/bucket-place.js';
import {
  inventoryDateOf,
  inventoryManifestOf,
  isInventoryDate,
  type InventoryFile,
  type InventoryManifest,
  type InventoryPlace,
} from './domain/inventory-manifest.js';
import { csvRows } from './csv-inventory.adapter.js';
import type { BucketObject, ExternalBucket } from './external-bucket.port.js';
import { fromBucket, type ReadOptions } from './inventory-transfer.adapter.js';
import { parquetRows } from './parquet-inventory.adapter.js';

export interface FoundInventory {
  /** The key of its manifest. */
  key: string;
  manifest: InventoryManifest;
}

const HOUR_MS = 3_600_000;
const DATES_PER_PAGE = 1_000;
const MANIFEST_BYTES_MAX = 32 * 1_024 * 1_024;

/**
 * Returns the key and the contents of the newest manifest within `maxAgeHours`, or null. S3 stores the manifest last, so an inventory without a
 * manifest is incomplete. Throws BucketError.
 */
export async function newestInventory(
  bucket: ExternalBucket,
  { prefix, maxAgeHours }: InventoryPlace,
  source: string,
): Promise<FoundInventory | null> {
  const oldest = Date.now() - maxAgeHours * HOUR_MS;
  const startAfter = `${prefix}${inventoryDateOf(new Date(oldest))}`;
  const { prefixes } = await bucket.list({ prefix, startAfter, delimiter: '/', limit: DATES_PER_PAGE });
  const dates = prefixes.filter((folder) => isInventoryDate(folder.slice(prefix.length)));
  for (const folder of dates.toSorted().toReversed()) {
    const key = `${folder}manifest.json`;
    const manifest = await inventoryAt(bucket, key, source);
    if (manifest !== null && manifest.createdAt.getTime() >= oldest) return { key, manifest };
  }
  return null;
}

/** The newest inventory of a bucket that is not open. Throws BucketError. */
export async function inventoryIn(
  opener: BucketOpener,
  place: BucketPlace,
  inventory: InventoryPlace,
  credentials: BucketCredentials,
  options: OpenOptions,
): Promise<FoundInventory | null> {
  const bucket = await opener.open({ ...place, bucket: inventory.bucket ?? place.bucket }, credentials, options);
  return newestInventory(bucket, inventory, place.bucket).finally(() => bucket.close());
}

/** Null when there is none at the key. Throws BucketError. */
export async function inventoryAt(
  bucket: ExternalBucket,
  key: string,
  source: string,
): Promise<InventoryManifest | null> {
  const opened = await bucket.read(key);
  if (opened === null) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of fromBucket(opened.body)) {
    bytes += chunk.length;
    if (bytes > MANIFEST_BYTES_MAX)
      throw new BucketError('refused', 'The manifest of the inventory is larger than 32 MiB.');
    chunks.push(chunk);
  }
  return inventoryManifestOf(Buffer.concat(chunks).toString(), source);
}

/**
 * The rows of a file after the first `after`. Null is a row of a former version, or of a delete marker. Throws BucketError when the file is not
 * whole: that of CSV after its last row, that of Parquet before its first.
 */
export function inventoryRows(
  bucket: ExternalBucket,
  file: InventoryFile,
  manifest: InventoryManifest,
  options: ReadOptions,
): AsyncGenerator<BucketObject | null> {
  const rows = manifest.format === 'CSV' ? csvRows : parquetRows;
  return rows(bucket, file, manifest, options);
}
