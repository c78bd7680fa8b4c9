// Snappy without the framing format, as Parquet uses it. https://github.com/google/snappy/blob/main/format_description.txt
import { ByteCursor } from './byte-cursor.js';
import { damaged } from './parquet-error.js';

const LITERAL = 0;
/** Longer literals have their length in the bytes that follow. */
const SHORT_LITERAL_MAX = 60;

/** Throws ParquetError when the bytes are not exactly `length`. */
export function snappyUncompress(compressed: Buffer, length: number): Buffer {
  const cursor = new ByteCursor(compressed);
  if (cursor.varint() !== length) throw damaged('a page has another length than it says');
  const output = Buffer.allocUnsafe(length);
  let written = 0;
  while (cursor.remaining > 0) {
    const tag = cursor.byte();
    if ((tag & 3) === LITERAL) {
      const short = (tag >> 2) + 1;
      const literal = cursor.take(short <= SHORT_LITERAL_MAX ? short : littleEndian(cursor, short - 60) + 1);
      if (written + literal.length > length) throw damaged('a page is longer than it says');
      literal.copy(output, written);
      written += literal.length;
    } else {
      const [copied, offset] = copyOf(tag, cursor);
      if (offset === 0 || offset > written || written + copied > length)
        throw damaged('a page is not compressed validly');
      repeat(output, written, offset, copied);
      written += copied;
    }
  }
  if (written !== length) throw damaged('a page is shorter than it says');
  return output;
}

function copyOf(tag: number, cursor: ByteCursor): [length: number, offset: number] {
  const kind = tag & 3;
  if (kind === 1) return [((tag >> 2) & 7) + 4, ((tag >> 5) << 8) + cursor.byte()];
  return [(tag >> 2) + 1, littleEndian(cursor, kind === 2 ? 2 : 4)];
}

/** At most 64 bytes. The source may overlap the target: bytes that were just written repeat. */
function repeat(output: Buffer, at: number, offset: number, length: number): void {
  for (let index = at; index < at + length; index += 1) output[index] = output[index - offset] ?? 0;
}

function littleEndian(cursor: ByteCursor, bytes: number): number {
  return cursor.take(bytes).readUIntLE(0, bytes);
}
