// Values in the encoding PLAIN.
import type { ByteCursor } from './byte-cursor.js';
import type { ColumnShape } from './column-shape.js';
import { unsupported } from './parquet-error.js';

export type PlainValue = Buffer | number | boolean;

/** Returns the next value of the page each time. Integers beyond 2⁵³ are NaN. */
export function plainValues({ name, type }: ColumnShape, cursor: ByteCursor): () => PlainValue {
  if (type === 'bytes') return () => cursor.take(cursor.uint32());
  if (type === 'integer') return () => cursor.int64();
  if (type === 'boolean') return bits(cursor);
  throw unsupported(`the type of the column ${JSON.stringify(name)} is not supported`);
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
