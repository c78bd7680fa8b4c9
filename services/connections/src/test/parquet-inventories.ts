// Writes the rows of an inventory as Parquet, in the form that Amazon S3 documents: keys are not encoded, and times are milliseconds.
import { decodeKey } from '@kiln/storage';
import { parse } from 'csv-parse/sync';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { parquetName } from '../external-buckets/domain/inventory-manifest.js';

/** Smaller than a page of objects, so that a page spans row groups, and so does a resumed file. */
const ROWS_OF_A_GROUP = 700;

/** The message in `fileSchema` of a manifest. */
export const parquetSchemaOf = (columns: readonly string[]): string =>
  `message s3.inventory { ${columns.map((column) => `optional ${typeOf(column).schema.replace('?', parquetName(column))};`).join(' ')} }`;

/** `text` has the rows as CSV. */
export function parquetOf(text: string, columns: readonly string[]): Buffer {
  const rows = parse(text, { skip_empty_lines: true });
  const columnData = columns.map((column, at) => ({
    name: parquetName(column),
    type: typeOf(column).type,
    nullable: column !== 'Bucket' && column !== 'Key',
    data: rows.map((row) => typeOf(column).valueOf(row[at] ?? '')),
  }));
  return Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: ROWS_OF_A_GROUP, pageSize: 8_192 }));
}

const orNull = (cell: string): string | null => (cell === '' ? null : cell);
const text = { type: 'STRING', schema: 'binary ? (STRING)', valueOf: orNull } as const;
const boolean = {
  type: 'BOOLEAN',
  schema: 'boolean ?',
  valueOf: (cell: string) => (cell === '' ? null : cell === 'true'),
} as const;
const TYPES = {
  Key: { ...text, valueOf: decodeKey },
  Size: { type: 'INT64', schema: 'int64 ?', valueOf: (cell: string) => (cell === '' ? null : BigInt(cell)) },
  LastModifiedDate: {
    type: 'TIMESTAMP',
    schema: 'int64 ? (TIMESTAMP(MILLIS,true))',
    valueOf: (cell: string) => (Number.isNaN(Date.parse(cell)) ? null : new Date(cell)),
  },
  IsLatest: boolean,
  IsDeleteMarker: boolean,
} as const;

const typeOf = (column: string) => (column in TYPES ? TYPES[column as keyof typeof TYPES] : text);
