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
}

export interface InventoryManifest {
  /** No later change of the bucket is in the inventory. */
  createdAt: Date;
  /** The columns of its files. */
  columns: readonly string[];
  files: readonly InventoryFile[];
}

const FILES_MAX = 100_000;
const KEY_LENGTH_MAX = 4_096;
const manifestSchema = z.object({
  sourceBucket: z.string(),
  /** Milliseconds since 1970. */
  creationTimestamp: z.string().regex(/^\d{1,14}$/),
  fileFormat: z.string(),
  fileSchema: z.string(),
  files: z
    .array(z.object({ key: z.string().min(1).max(KEY_LENGTH_MAX), MD5checksum: z.string().regex(/^[0-9a-fA-F]{32}$/) }))
    .max(FILES_MAX),
});

const REQUIRED = ['Bucket', 'Key', 'Size', 'LastModifiedDate', 'ETag'];

/** Throws BucketError with the reason when the inventory cannot be read in place of a listing of the bucket. */
export function inventoryManifestOf(text: string, bucket: string): InventoryManifest {
  const { sourceBucket, creationTimestamp, fileFormat, fileSchema, files } = parsed(text);
  if (sourceBucket !== bucket) throw refused(`it is one of the bucket ${shown(sourceBucket)}`);
  if (fileFormat !== 'CSV') throw refused(`its format is ${shown(fileFormat)}. Let S3 make it as CSV`);
  const columns = fileSchema.split(',').map((column) => column.trim());
  const required = columns.includes('VersionId') ? [...REQUIRED, 'IsLatest', 'IsDeleteMarker'] : REQUIRED;
  const missing = required.filter((column) => !columns.includes(column));
  if (missing.length > 0) throw refused(`its files lack ${missing.join(', ')}. Add these fields to the inventory`);
  const createdAt = new Date(Number(creationTimestamp));
  return { createdAt, columns, files: files.map(({ key, MD5checksum }) => ({ key, md5: MD5checksum.toLowerCase() })) };
}

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
