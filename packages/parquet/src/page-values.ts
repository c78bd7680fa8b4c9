// The values of a page, one at a time. Nothing is allocated for the values that a page says it has.
import { ByteCursor } from './byte-cursor.js';
import type { ColumnShape } from './column-shape.js';
import type { Dictionary } from './dictionary.js';
import { RLE, type PageHeader } from './page-header.js';
import { damaged, unsupported } from './parquet-error.js';
import { plainValues, type PlainValue } from './plain-values.js';
import { Runs } from './runs.js';

export type Value = PlainValue | null;

const [PLAIN, PLAIN_DICTIONARY, RLE_DICTIONARY] = [0, 2, 8];
/** By the numbers of parquet.thrift. */
const NAMES = [
  'PLAIN',
  'GROUP_VAR_INT',
  'PLAIN_DICTIONARY',
  'RLE',
  'BIT_PACKED',
  'DELTA_BINARY_PACKED',
  'DELTA_LENGTH_BYTE_ARRAY',
  'DELTA_BYTE_ARRAY',
];

/** Returns the next value of the page each time. */
export function valuesOf(
  shape: ColumnShape,
  header: PageHeader,
  bytes: Buffer,
  dictionary: Dictionary | null,
): () => Value {
  const cursor = new ByteCursor(bytes);
  const definitions = definitionsOf(shape, header, cursor);
  const next = encodedValues(shape, header.encoding, cursor, dictionary);
  return definitions === null ? next : () => (definitions.next() === 1 ? next() : null);
}

/** Whether each value is there. Null: all are. */
function definitionsOf({ isOptional }: ColumnShape, header: PageHeader, cursor: ByteCursor): Runs | null {
  if (header.kind === 'data v2') {
    cursor.take(header.repetitionBytes);
    const levels = cursor.take(header.definitionBytes);
    return isOptional ? new Runs(new ByteCursor(levels), 1) : null;
  }
  if (!isOptional) return null;
  if (header.levelEncoding !== RLE)
    throw unsupported(`the encoding ${named(header.levelEncoding)} of levels is not supported`);
  return new Runs(new ByteCursor(cursor.take(cursor.uint32())), 1);
}

function encodedValues(
  shape: ColumnShape,
  encoding: number,
  cursor: ByteCursor,
  dictionary: Dictionary | null,
): () => PlainValue {
  if (encoding === PLAIN) return plainValues(shape, cursor);
  if (encoding === PLAIN_DICTIONARY || encoding === RLE_DICTIONARY) return entries(cursor, dictionary);
  if (encoding === RLE && shape.type === 'boolean') {
    const runs = new Runs(new ByteCursor(cursor.take(cursor.uint32())), 1);
    return () => runs.next() === 1;
  }
  throw unsupported(`the encoding ${named(encoding)} of the column ${JSON.stringify(shape.name)} is not supported`);
}

const named = (encoding: number): string => NAMES[encoding] ?? String(encoding);

function entries(cursor: ByteCursor, dictionary: Dictionary | null): () => PlainValue {
  if (dictionary === null) throw damaged('a column has no dictionary');
  // A page without a value that is there may be empty.
  const width = cursor.remaining === 0 ? 0 : cursor.byte();
  // A dictionary of one entry needs no bits. Some writers then leave out the runs.
  if (width === 0) return () => dictionary.at(0);
  const runs = new Runs(cursor, width);
  return () => dictionary.at(runs.next());
}
