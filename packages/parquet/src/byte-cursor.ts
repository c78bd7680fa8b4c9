// Reads from the front of a buffer. Every read is checked, so no length in a file leads out of it.
import { damaged } from './parquet-error.js';

/** A varint of 64 bits has ten bytes. Without the limit, a file could hold one of any length. */
const VARINT_BYTES_MAX = 10;

export class ByteCursor {
  position = 0;

  constructor(readonly bytes: Buffer) {}

  get remaining(): number {
    return this.bytes.length - this.position;
  }

  byte(): number {
    const byte = this.bytes[this.position];
    if (byte === undefined) throw damaged('it ends in the middle of a value');
    this.position += 1;
    return byte;
  }

  /** Returns where the next `length` bytes begin, and passes over them. */
  pass(length: number): number {
    if (length > this.remaining || length < 0) throw damaged('a length leads out of the file');
    this.position += length;
    return this.position - length;
  }

  take(length: number): Buffer {
    const start = this.pass(length);
    return this.bytes.subarray(start, this.position);
  }

  uint32(): number {
    return this.bytes.readUInt32LE(this.pass(4));
  }

  /** Of 64 bits. NaN beyond 2⁵³. */
  int64(): number {
    const start = this.pass(8);
    const value = this.bytes.readInt32LE(start + 4) * 2 ** 32 + this.bytes.readUInt32LE(start);
    return Number.isSafeInteger(value) ? value : Number.NaN;
  }

  /** Exact up to 2⁵³. Larger values are rounded, and exceed every limit that they are compared with. */
  varint(): number {
    let value = 0;
    for (let read = 0; read < VARINT_BYTES_MAX; read += 1) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** (7 * read);
      if (byte < 0x80) return value;
    }
    throw damaged('a number has too many bytes');
  }

  zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
