// Reads a file of CSV while it arrives. Nothing is held in memory but the current rows.
import { decodeKey, ListingNotProvenError } from '@kiln/storage';
import { CsvError, parse } from 'csv-parse';
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { InventoryFile, InventoryManifest } from './domain/inventory-manifest.js';
import { damagedFile, objectOfRow } from './domain/inventory-row.js';
import type { BucketObject, ExternalBucket } from './external-bucket.port.js';
import { fromBucket, openFile, type ReadOptions } from './inventory-transfer.adapter.js';

/** The longest key is 1,024 bytes, three characters each when it is encoded. */
const ROW_LENGTH_MAX = 16_384;

/** Throws BucketError when the file is not whole, after its last row. */
export async function* csvRows(
  bucket: ExternalBucket,
  file: InventoryFile,
  { columns }: InventoryManifest,
  { source, after, signal }: ReadOptions,
): AsyncGenerator<BucketObject | null> {
  const body = await openFile(bucket, file, signal);
  const hash = createHash('md5');
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  const rows = parse({ max_record_size: ROW_LENGTH_MAX, skip_empty_lines: true });
  const read = pipeline(fromBucket(body), hashed, createGunzip(), rows, { signal });
  // Its failure is thrown below, or destroys \`rows\`, which throws it.
  read.catch(() => undefined);
  const objectOf = rowReader(columns, source, file.key);
  let skipped = 0;
  try {
    for await (const row of rows) {
      if (skipped < after) skipped += 1;
      else yield objectOf(row as string[]);
    }
    await read;
  } catch (error) {
    throw isDamage(error) ? damagedFile(file.key, 'it is no gzip file of CSV, or not whole', error) : error;
  } finally {
    body.destroy();
  }
  if (hash.digest('hex') !== file.md5) throw damagedFile(file.key, 'its MD5 checksum is not that of the manifest');
}

function rowReader(
  columns: readonly string[],
  source: string,
  file: string,
): (row: readonly string[]) => BucketObject | null {
  const at = Object.fromEntries(columns.map((column, index) => [column, index]));
  return (row) => {
    const cell = (column: string): string => row[at[column] ?? columns.length] ?? '';
    if (row.length !== columns.length) throw damagedFile(file, 'a row has more or fewer fields than the manifest says');
    const size = cell('Size');
    const read = {
      bucket: cell('Bucket'),
      key: keyOf(cell('Key'), file),
      isLatest: cell('IsLatest') !== 'false',
      isDeleteMarker: cell('IsDeleteMarker') === 'true',
      size: /^\d+$/.test(size) ? Number(size) : Number.NaN,
      lastModified: Date.parse(cell('LastModifiedDate')),
      etag: cell('ETag'),
      storageClass: cell('StorageClass'),
    };
    return objectOfRow(read, source, file);
  };
}

function keyOf(encoded: string, file: string): string {
  try {
    return decodeKey(encoded);
  } catch (error) {
    if (error instanceof ListingNotProvenError) throw damagedFile(file, 'a key is not URL-encoded', error);
    throw error;
  }
}

const isDamage = (error: unknown): boolean =>
  error instanceof CsvError || (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'));
