// A row of an inventory, whatever the format of its file.
import type { BucketObject } from '../external-bucket.port.js';
import { BucketError } from './bucket-error.js';
import { versionByTime } from './object-version.js';

export interface InventoryRow {
  bucket: string;
  key: string;
  /** Of an inventory of all versions. Otherwise true. */
  isLatest: boolean;
  isDeleteMarker: boolean;
  /** NaN when there is none. */
  size: number;
  /** Milliseconds since 1970. NaN when there are none. */
  lastModified: number;
  /** Empty when there is none. */
  etag: string;
  storageClass: string;
}

const ARCHIVES: readonly string[] = ['GLACIER', 'DEEP_ARCHIVE'];

/** Null for a former version, or a delete marker. Throws BucketError when the row is of another bucket than `source`. */
export function objectOfRow(row: InventoryRow, source: string, file: string): BucketObject | null {
  const { key, size: sizeBytes, storageClass } = row;
  if (row.bucket !== source) throw damagedFile(file, 'a row is of another bucket');
  if (!row.isLatest || row.isDeleteMarker) return null;
  // Listings have whole seconds.
  const lastModified = new Date(Math.floor(row.lastModified / 1_000) * 1_000);
  const etag = row.etag.replaceAll('"', '');
  return {
    key,
    sizeBytes,
    etag: etag === '' ? versionByTime(lastModified) : etag,
    lastModified,
    contentType: null,
    ...(storageClass !== '' && { storageClass }),
    ...(ARCHIVES.includes(storageClass) && { archivedIn: storageClass }),
  };
}

/** The file is not whole, or no writer of inventories has made it. */
export const damagedFile = (key: string, reason: string, cause?: unknown): BucketError =>
  new BucketError('listing_incomplete', `The file ${JSON.stringify(key)} of the inventory cannot be used: ${reason}.`, {
    cause,
  });
