// A set of numbers, divided into windows of 32,768: the removed passages of a tenant. In memory a window is a bitmap. In the database it is
// a list of ranges, each with the difference to the end of the previous range and the count of its numbers.
import { encodeNumber, NumberReader } from './compact-numbers.js';

export const NUMBERS_PER_WINDOW = 32_768;
const BITMAP_BYTES = NUMBERS_PER_WINDOW / 8;

export const windowOf = (number: number) => Math.floor(number / NUMBERS_PER_WINDOW);

export const isSet = (bitmap: Uint8Array, bit: number) => (((bitmap[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1;

export class NumberSet {
  /** The bitmaps by window. A window is identified by its first number divided by 32,768. */
  readonly bitmaps = new Map<number, Uint8Array>();

  addRange(first: number, count: number): void {
    for (let number = first; number < first + count; number++) {
      const window = windowOf(number);
      let bitmap = this.bitmaps.get(window);
      if (!bitmap) this.bitmaps.set(window, (bitmap = new Uint8Array(BITMAP_BYTES)));
      const bit = number % NUMBERS_PER_WINDOW;
      if ((bit & 7) === 0 && number + 8 <= first + count) {
        bitmap[bit >> 3] = 0xff;
        number += 7;
      } else bitmap[bit >> 3] = (bitmap[bit >> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  has(number: number): boolean {
    const bitmap = this.bitmaps.get(windowOf(number));
    return bitmap !== undefined && isSet(bitmap, number % NUMBERS_PER_WINDOW);
  }

  load(window: number, ranges: string): void {
    const reader = new NumberReader(ranges);
    for (let end = window * NUMBERS_PER_WINDOW; reader.at < ranges.length;) {
      const first = end + reader.next();
      const count = reader.next();
      this.addRange(first, count);
      end = first + count;
    }
  }

  rangesOf(window: number): string {
    const bitmap = this.bitmaps.get(window) ?? new Uint8Array(BITMAP_BYTES);
    let ranges = '';
    let end = 0;
    for (let bit = 0; bit < NUMBERS_PER_WINDOW; bit++) {
      if (!isSet(bitmap, bit)) continue;
      const first = bit;
      while (bit < NUMBERS_PER_WINDOW && isSet(bitmap, bit)) bit++;
      ranges += encodeNumber(first - end) + encodeNumber(bit - first);
      end = bit;
    }
    return ranges;
  }
}
