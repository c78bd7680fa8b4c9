// Reads a file of Parquet. It is read from its end, so it is copied to the disk first, and its checksum is compared before the first row.
import { ParquetError, readLayout, readRows, type ColumnShape, type FileLayout, type Value } from '@kiln/parquet';
import { keyOfBytes } from '@kiln/storage';
import { BucketError } from './domain/bucket-error.js';
import { parquetName, type InventoryFile, type InventoryManifest } from './domain/inventory-manifest.js';
import { damagedFile, objectOfRow } from './domain/inventory-row.js';
import type { BucketObject, ExternalBucket } from './external-bucket.port.js';
import type { ReadOptions } from './inventory-transfer.adapter.js';
import { spool, type SpooledFile } from './spooled-inventory.adapter.js';

/** The columns that are read, and the types that they must have. */
const TYPES = {
  Bucket: 'bytes',
  Key: 'bytes',
  IsLatest: 'boolean',
  IsDeleteMarker: 'boolean',
  Size: 'integer',
  LastModifiedDate: 'integer',
  ETag: 'bytes',
  StorageClass: 'bytes',
} as const;
type Column = keyof typeof TYPES;
const COLUMNS = Object.keys(TYPES) as Column[];

/** Throws BucketError. No row is returned of a file that is not whole. */
export async function* parquetRows(
  bucket: ExternalBucket,
  file: InventoryFile,
  { columns: listed }: InventoryManifest,
  { source, after, signal }: ReadOptions,
): AsyncGenerator<BucketObject | null> {
  const columns = COLUMNS.filter((column) => listed.includes(column));
  const spooled = await spool(bucket, file, signal);
  try {
    // Each row passes through one generator alone: they take most of the time.
    for await (const objects of objectsOf(spooled, file.key, columns, { source, after }))
      for (const object of objects) yield object;
  } catch (error) {
    throw error instanceof ParquetError ? unusable(file.key, error) : error;
  } finally {
    await spooled.close();
  }
}

async function* objectsOf(
  spooled: SpooledFile,
  file: string,
  columns: readonly Column[],
  { source, after }: Pick<ReadOptions, 'source' | 'after'>,
): AsyncGenerator<(BucketObject | null)[]> {
  const layout = await readLayout(spooled);
  const unitsPerMs = unitsOfTime(layout, columns, file);
  for await (const batch of readRows(spooled, layout, columns.map(parquetName), after)) {
    const values = Object.fromEntries(columns.map((column, at) => [column, batch.columns[at]]));
    yield Array.from({ length: batch.rows }, (_, row) => {
      const value = (column: Column): Value => values[column]?.[row] ?? null;
      return objectOfRow(rowOf(value, unitsPerMs), source, file);
    });
  }
}

/** How many units of the times of the file are a millisecond. */
function unitsOfTime({ columns: shapes }: FileLayout, columns: readonly Column[], file: string): number {
  const shapeOf = (column: Column): ColumnShape => {
    const shape = shapes.get(parquetName(column));
    if (shape === undefined) throw damagedFile(file, `it lacks the column ${parquetName(column)}`);
    if (shape.type !== TYPES[column]) throw damagedFile(file, `its column ${parquetName(column)} has another type`);
    return shape;
  };
  columns.forEach(shapeOf);
  const { unitsPerMs } = shapeOf('LastModifiedDate');
  if (unitsPerMs === null) throw damagedFile(file, 'its column last_modified_date has no times');
  return unitsPerMs;
}

/** Keys are as they are: only those of CSV are URL-encoded. */
function rowOf(value: (column: Column) => Value, unitsPerMs: number) {
  const number = (column: Column): number => Number(value(column) ?? Number.NaN);
  const text = (column: Column): string => value(column)?.toString() ?? '';
  const key = value('Key');
  return {
    bucket: text('Bucket'),
    key: key instanceof Buffer ? keyOfBytes(key) : '',
    isLatest: value('IsLatest') !== false,
    isDeleteMarker: value('IsDeleteMarker') === true,
    size: number('Size'),
    lastModified: number('LastModifiedDate') / unitsPerMs,
    etag: text('ETag'),
    storageClass: text('StorageClass'),
  };
}

function unusable(file: string, error: ParquetError): BucketError {
  if (error.kind === 'damaged') return damagedFile(file, error.message, error);
  const reason = `The file ${JSON.stringify(file)} of the inventory cannot be used: ${error.message}.`;
  return new BucketError('refused', `${reason} Let S3 make the inventory as CSV.`, { cause: error });
}
