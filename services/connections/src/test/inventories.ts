// Writes inventories as Amazon S3 does. https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-inventory-location.html
import type { ObjectStore } from '@kiln/storage';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { inventoryDateOf } from '../external-buckets/domain/inventory-manifest.js';
import { parquetOf, parquetSchemaOf } from './parquet-inventories.js';

export const COLUMNS = ['Bucket', 'Key', 'Size', 'LastModifiedDate', 'ETag', 'StorageClass'];

export interface WrittenInventory {
  /** The bucket that it is of. */
  bucket: string;
  prefix: string;
  createdAt: Date;
  /** The rows of each file, as CSV. */
  files: readonly string[];
  columns?: readonly string[];
  format?: string;
  /** Changes a file after its checksum was taken. */
  damage?: (bytes: Buffer) => Buffer;
  /** Changes what the manifest says about a file. */
  changed?: (bytes: Buffer) => { size?: number | undefined; MD5checksum?: string };
  isComplete?: boolean;
}

export const rowOf = (cells: readonly string[]): string => cells.map((cell) => `"${cell}"`).join(',');

const encoded = (key: string) => encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/');

/** The rows of the objects of a bucket. */
export async function rowsOf(bucket: string, objects: ObjectStore): Promise<string[]> {
  const rows: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await objects.list('', cursor == null ? {} : { cursor });
    for (const { key, sizeBytes, etag, lastModified } of page.objects)
      rows.push(rowOf([bucket, encoded(key), String(sizeBytes), lastModified.toISOString(), etag, 'STANDARD']));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}

export async function writeInventory(store: ObjectStore, written: WrittenInventory): Promise<void> {
  const { bucket, prefix, createdAt, columns = COLUMNS, format = 'CSV', damage = (bytes) => bytes } = written;
  const folder = `${prefix}${inventoryDateOf(createdAt)}Z/`;
  const files = [];
  for (const [at, text] of written.files.entries()) {
    const bytes = format === 'Parquet' ? parquetOf(text, columns) : gzipSync(text);
    const key = `${prefix}data/${createdAt.getTime()}-${at}.${format === 'Parquet' ? 'parquet' : 'csv.gz'}`;
    await store.put(key, damage(bytes), { contentType: 'application/octet-stream' });
    const MD5checksum = createHash('md5').update(bytes).digest('hex');
    files.push({ key, size: bytes.length, MD5checksum, ...written.changed?.(bytes) });
  }
  const manifest = {
    sourceBucket: bucket,
    destinationBucket: 'arn:aws:s3:::inventories',
    version: '2016-11-30',
    creationTimestamp: String(createdAt.getTime()),
    fileFormat: format,
    fileSchema: format === 'Parquet' ? parquetSchemaOf(columns) : columns.join(', '),
    files,
  };
  const name = written.isComplete === false ? 'manifest.tmp' : 'manifest.json';
  await store.put(`${folder}${name}`, JSON.stringify(manifest), { contentType: 'application/json' });
}
