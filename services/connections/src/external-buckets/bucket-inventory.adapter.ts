// Finds the newest inventory of a bucket, and reads the objects in its files. Nothing is held in memory but the current rows.
import type { BucketCredentials } from '@kiln/contracts';
import { decodeKey, ListingNotProvenError } from '@kiln/storage';
import { CsvError, parse } from 'csv-parse';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { BucketOpener, OpenOptions } from './bucket-opener.service.js';
import { BucketError } from './domain/bucket-error.js';
import type { BucketPlace } from './domain/bucket-place.js';
import { versionByTime } from './domain/object-version.js';
import {
  inventoryDateOf,
  inventoryManifestOf,
  isInventoryDate,
  type InventoryFile,
  type InventoryManifest,
  type InventoryPlace,
} from './domain/inventory-manifest.js';
import type { BucketObject, ExternalBucket } from './external-bucket.port.js';

export interface FoundInventory {
  /** The key of its manifest. */
  key: string;
  manifest: InventoryManifest;
}

const HOUR_MS = 3_600_000;
const DATES_PER_PAGE = 1_000;
const MANIFEST_BYTES_MAX = 32 * 1_024 * 1_024;
/** The longest key is 1,024 bytes, three characters each when it is encoded. */
const ROW_LENGTH_MAX = 16_384;
const ARCHIVES: readonly string[] = ['GLACIER', 'DEEP_ARCHIVE'];

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
 * The rows of a file. Null is a row of a former version, or of a delete marker. Throws BucketError when the file is not whole, after its last row.
 */
export async function* inventoryRows(
  bucket: ExternalBucket,
  { key, md5 }: InventoryFile,
  { columns }: InventoryManifest,
  source: string,
  signal: AbortSignal,
): AsyncGenerator<BucketObject | null> {
  const opened = await bucket.read(key, signal);
  if (opened === null) throw damaged(key, 'it does not exist');
  const hash = createHash('md5');
  const hashed = async function* (body: AsyncIterable<Buffer>) {
    for await (const chunk of body) {
      hash.update(chunk);
      yield chunk;
    }
  };
  const rows = parse({ max_record_size: ROW_LENGTH_MAX, skip_empty_lines: true });
  const read = pipeline(fromBucket(opened.body), hashed, createGunzip(), rows, { signal });
  // Its failure is thrown below, or destroys \`rows\`, which throws it.
  read.catch(() => undefined);
  const rowOf = rowReader(columns, source, key);
  try {
    for await (const row of rows) yield rowOf(row as string[]);
    await read;
  } catch (error) {
    throw isDamage(error) ? damaged(key, 'it is no gzip file of CSV, or not whole', error) : error;
  } finally {
    opened.body.destroy();
  }
  if (hash.digest('hex') !== md5) throw damaged(key, 'its MD5 checksum is not that of the manifest');
}

/** Failures of the connection to the store are temporary. */
async function* fromBucket(body: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    throw new BucketError('unreachable', 'The store ended the transfer of the inventory.', {
      retryable: true,
      cause: error,
    });
  }
}

function rowReader(
  columns: readonly string[],
  source: string,
  file: string,
): (row: readonly string[]) => BucketObject | null {
  const at = Object.fromEntries(columns.map((column, index) => [column, index]));
  return (row) => {
    const cell = (column: string): string => row[at[column] ?? columns.length] ?? '';
    if (row.length !== columns.length) throw damaged(file, 'a row has more or fewer fields than the manifest says');
    if (cell('Bucket') !== source) throw damaged(file, 'a row is of another bucket');
    if (cell('IsLatest') === 'false' || cell('IsDeleteMarker') === 'true') return null;
    const [size, storageClass] = [cell('Size'), cell('StorageClass')];
    const lastModified = new Date(Math.floor(Date.parse(cell('LastModifiedDate')) / 1_000) * 1_000);
    const etag = cell('ETag').replaceAll('"', '');
    return {
      key: keyOf(cell('Key'), file),
      sizeBytes: /^\d+$/.test(size) ? Number(size) : Number.NaN,
      etag: etag === '' ? versionByTime(lastModified) : etag,
      lastModified,
      contentType: null,
      ...(storageClass !== '' && { storageClass }),
      ...(ARCHIVES.includes(storageClass) && { archivedIn: storageClass }),
    };
  };
}

function keyOf(encoded: string, file: string): string {
  try {
    return decodeKey(encoded);
  } catch (error) {
    if (error instanceof ListingNotProvenError) throw damaged(file, 'a key is not URL-encoded', error);
    throw error;
  }
}

const isDamage = (error: unknown): boolean =>
  error instanceof CsvError || (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'));

const damaged = (key: string, reason: string, cause?: unknown): BucketError =>
  new BucketError('listing_incomplete', `The file ${JSON.stringify(key)} of the inventory cannot be used: ${reason}.`, {
    cause,
  });
