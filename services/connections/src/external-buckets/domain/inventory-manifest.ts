// The manifest of an inventory that Amazon S3 has made of a bucket.
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-inventory-location.html
import { z } from 'zod';
import { BucketError } from './bucket-error.js';

/** Where the inventories of a bucket are stored. */
export interface InventoryPlace {
  /** Null: in the bucket itself. */
  bucket: string | null;
  /** Ends with a slash. The dates of the inventories follow. */
  prefix: string;
  /** An older inventory is not read. */
  maxAgeHours: number;
}

/** The inventory that a sync reads. */
export interface InventoryOfSync {
  bucket: string;
  /** The key of its manifest. */
  key: string;
}

export interface InventoryFile {
  key: string;
  /** 32 hexadecimal digits. */
  md5: string;
  /** Its bytes. 0 when a manifest of CSV does not say. */
  size: number;
}

export type InventoryFormat = 'CSV' | 'Parquet';

export interface InventoryManifest {
  /** No later change of the bucket is in the inventory. */
  createdAt: Date;
  format: InventoryFormat;
  /** The columns of its files, by their names in CSV. */
  columns: readonly string[];
  files: readonly InventoryFile[];
}

/** A file of Parquet is copied to the disk before it is read, and each of the syncs of a worker may read one. */
const PARQUET_BYTES_MAX = 1_024 ** 3;

const FILES_MAX = 100_000;
const KEY_LENGTH_MAX = 4_096;
const manifestSchema = z.object({
  sourceBucket: z.string(),
  /** Milliseconds since 1970. */
  creationTimestamp: z.string().regex(/^\d{1,14}$/),
  fileFormat: z.string(),
  fileSchema: z.string(),
  files: z
    .array(
      z.object({
        key: z.string().min(1).max(KEY_LENGTH_MAX),
        MD5checksum: z.string().regex(/^[0-9a-fA-F]{32}$/),
        size: z.int().min(0).optional(),
      }),
    )
    .max(FILES_MAX),
});

const REQUIRED = ['Bucket', 'Key', 'Size', 'LastModifiedDate', 'ETag'];
const READ = [...REQUIRED, 'StorageClass', 'VersionId', 'IsLatest', 'IsDeleteMarker'];

/** Throws BucketError with the reason when the inventory cannot be read in place of a listing of the bucket. */
export function inventoryManifestOf(text: string, bucket: string): InventoryManifest {
  const { sourceBucket, creationTimestamp, fileFormat, fileSchema, files } = parsed(text);
  if (sourceBucket !== bucket) throw refused(`it is one of the bucket ${shown(sourceBucket)}`);
  if (fileFormat !== 'CSV' && fileFormat !== 'Parquet')
    throw refused(`its format is ${shown(fileFormat)}. Let S3 make it as Parquet or CSV`);
  const columns = fileFormat === 'CSV' ? csvColumns(fileSchema) : parquetColumns(fileSchema);
  if (fileFormat === 'Parquet') files.forEach(assertSize);
  const required = columns.includes('VersionId') ? [...REQUIRED, 'IsLatest', 'IsDeleteMarker'] : REQUIRED;
  const missing = required.filter((column) => !columns.includes(column));
  if (missing.length > 0) throw refused(`its files lack ${missing.join(', ')}. Add these fields to the inventory`);
  const createdAt = new Date(Number(creationTimestamp));
  return {
    createdAt,
    format: fileFormat,
    columns,
    files: files.map(({ key, MD5checksum, size = 0 }) => ({ key, md5: MD5checksum.toLowerCase(), size })),
  };
}

function assertSize({ key, size }: { key: string; size?: number | undefined }): void {
  if (size === undefined) throw refused(`its manifest.json does not say how large its file ${shown(key)} is`);
  if (size > PARQUET_BYTES_MAX)
    throw refused(`its file ${shown(key)} is larger than 1 GiB. Let S3 make it as CSV, which has no such limit`);
}

const csvColumns = (schema: string): string[] => schema.split(',').map((column) => column.trim());

/** Of a schema such as `message s3.inventory { required binary key (UTF8); optional int64 size; }`. Columns that are not read have no name here. */
function parquetColumns(schema: string): string[] {
  const names = new Set([...schema.matchAll(/\b(?:required|optional)\s+\w+\s+(\w+)/g)].map(([, name]) => name));
  return READ.filter((column) => names.has(parquetName(column)));
}

/** `LastModifiedDate` in CSV is `last_modified_date` in Parquet, and `ETag` is `e_tag`. */
export const parquetName = (column: string): string =>
  column.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

function parsed(text: string): z.output<typeof manifestSchema> {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    throw refused('its manifest.json is not one of Amazon S3');
  }
}

const refused = (reason: string): BucketError => new BucketError('refused', `The inventory cannot be used: ${reason}.`);

const shown = (text: string): string => JSON.stringify(text.slice(0, 100));

/** The name of the folder of an inventory, such as `2026-11-27T01-00Z/`. */
export const isInventoryDate = (name: string): boolean => /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}Z\/$/.test(name);

/** The folders of inventories that were made since then come after it. */
export const inventoryDateOf = (time: Date): string => time.toISOString().slice(0, 16).replace(':', '-');
