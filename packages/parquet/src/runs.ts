// Small numbers as runs: of one value, or of values packed into bits. Values are made one at a time, so a run of any length takes no memory.
// https://github.com/apache/parquet-format/blob/master/Encodings.md#run-length-encoding--bit-packing-hybrid-rle--3
import type { ByteCursor } from './byte-cursor.js';
import { damaged } from './parquet-error.js';

/** Pages are smaller than 16 MiB, so no dictionary has more entries. */
const WIDTH_MAX = 24;

export class Runs {
  private left = 0;
  private value = 0;
  private isPacked = false;
  private bits = 0;
  private bitCount = 0;

  constructor(
    private readonly cursor: ByteCursor,
    private readonly width: number,
  ) {
    if (width > WIDTH_MAX) throw damaged('a page has numbers with too many bits');
  }

  next(): number {
    while (this.left === 0) this.nextRun();
    this.left -= 1;
    return this.isPacked ? this.unpacked() : this.value;
  }

  private nextRun(): void {
    // A width of 0 leaves no bytes to read for the values, but the run still has a header, so this ends.
    const header = this.cursor.varint();
    this.isPacked = header % 2 === 1;
    const count = Math.floor(header / 2);
    this.left = this.isPacked ? count * 8 : count;
    this.bits = 0;
    this.bitCount = 0;
    if (!this.isPacked) this.value = this.repeated();
  }

  private repeated(): number {
    let value = 0;
    for (let read = 0; read < this.width; read += 8) value += this.cursor.byte() << read;
    return value;
  }

  private unpacked(): number {
    while (this.bitCount < this.width) {
      this.bits |= this.cursor.byte() << this.bitCount;
      this.bitCount += 8;
    }
    const value = this.bits & ((1 << this.width) - 1);
    this.bits >>>= this.width;
    this.bitCount -= this.width;
    return value;
  }
}
