// Values in the encoding PLAIN.
import type { ByteCursor } from './byte-cursor.js';
import type { ColumnShape } from './column-shape.js';
import { unsupported } from './parquet-error.js';

export type PlainValue = Buffer | number | boolean;

/** The longest value of an inventory is a key, of 1,024 bytes. */
const VALUE_BYTES_MAX = 4_096;

/** Returns the next value of the page each time. Integers beyond 2⁵³ are NaN. */
export function plainValues({ name, type }: ColumnShape, cursor: ByteCursor): () => PlainValue {
  if (type === 'bytes') return () => cursor.take(lengthOf(cursor));
  if (type === 'integer') return () => cursor.int64();
  if (type === 'boolean') return bits(cursor);
  throw unsupported(`the type of the column ${JSON.stringify(name)} is not supported`);
}

/** Of the next value of bytes. A dictionary could otherwise name a value of a whole page in each row. */
export function lengthOf(cursor: ByteCursor): number {
  const length = cursor.uint32();
  if (length > VALUE_BYTES_MAX) throw unsupported(`a value is longer than ${VALUE_BYTES_MAX} bytes`);
  return length;
}

function bits(cursor: ByteCursor): () => boolean {
  let [byte, left] = [0, 0];
  return () => {
    if (left === 0) [byte, left] = [cursor.byte(), 8];
    const bit = byte & 1;
    byte >>= 1;
    left -= 1;
    return bit === 1;
  };
}
