/** Words on one base line, from left to right, as rows and as the segments between wide gaps. */
import type { Box, Word } from '../page-model.js';
import { joinShiftedMarks, markSizeMax } from './shifted-marks.js';

/**
 * The base lines of one row differ by less, in multiples of the larger size. Superscripts are raised by a third. Lines
 * of a paragraph are at least .9 apart.
 */
const sameRowMax = 0.4;
/**
 * A gap as wide as the letter M separates columns and cells. Spaces are a quarter to a third as wide. Justified lines
 * stretch them to twice that.
 */
export const segmentGapEms = 1;

export interface Segment extends Box {
  words: Word[];
  baseline: number;
  /** The size of most letters. */
  size: number;
  letters: number;
}

/** Groups words into rows, from top to bottom. */
export function rowsOf<Item extends Box & { baseline: number; size: number }>(items: readonly Item[]): Item[][] {
  const sorted = [...items].sort((first, second) => first.baseline - second.baseline);
  const rows: Item[][] = [];
  let baseline = 0;
  let size = 0;
  let width = 0;
  let [smallest, largest] = [Infinity, 0];
  for (const item of sorted) {
    [smallest, largest] = [Math.min(smallest, item.size), Math.max(largest, item.size)];
    const row = rows.at(-1);
    const own = item.right - item.left;
    if (row === undefined || item.baseline - baseline > sameRowMax * Math.max(size, item.size)) {
      rows.push([item]);
      [baseline, size, width] = [item.baseline, item.size, own];
      continue;
    }
    row.push(item);
    // The base line of most words, so that a superscript does not shift it.
    if (width + own > 0) baseline = (baseline * width + item.baseline * own) / (width + own);
    size = Math.max(size, item.size);
    width += own;
  }
  for (const row of rows) row.sort((first, second) => first.left - second.left);
  return smallest > largest * markSizeMax ? rows : joinShiftedMarks(rows);
}

export function segmentsOf(words: readonly Word[], gapEms = segmentGapEms): Segment[] {
  return rowsOf(words).flatMap((row) => splitRow(row, gapEms));
}

function splitRow(row: readonly Word[], gapEms: number): Segment[] {
  const segments: Word[][] = [];
  let right = -Infinity;
  for (const word of row) {
    const last = segments.at(-1);
    if (last === undefined || word.left - right > gapEms * word.size) segments.push([word]);
    else last.push(word);
    right = Math.max(right, word.right);
  }
  return segments.map(segmentOf);
}

export function segmentOf(words: Word[]): Segment {
  const main = mainWord(words);
  return {
    words,
    ...boundsOf(words),
    baseline: main.baseline,
    size: main.size,
    letters: words.reduce((sum, { text }) => sum + text.length, 0),
  };
}

/** A word in the size of most letters. */
function mainWord(words: readonly Word[]): Word {
  const letters = new Map<number, number>();
  for (const { size, text } of words) {
    const rounded = Math.round(size * 2);
    letters.set(rounded, (letters.get(rounded) ?? 0) + text.length);
  }
  let main: Word | undefined;
  let most = 0;
  for (const word of words) {
    const count = letters.get(Math.round(word.size * 2)) ?? 0;
    if (count > most) [main, most] = [word, count];
  }
  if (main === undefined) throw new RangeError('a segment has at least one word');
  return main;
}

/** Counted one by one: a page may have more boxes than a function takes arguments. */
export function largestSize(items: readonly { size: number }[]): number {
  return items.reduce((largest, { size }) => Math.max(largest, size), 0);
}

export function boundsOf(boxes: readonly Box[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    left = Math.min(left, box.left);
    top = Math.min(top, box.top);
    right = Math.max(right, box.right);
    bottom = Math.max(bottom, box.bottom);
  }
  return { left, top, right, bottom };
}
