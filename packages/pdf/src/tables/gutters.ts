/** Finds the columns of text without rules by the gaps that rows share. */
import type { Box } from '../page-model.js';

export interface Gap {
  from: number;
  to: number;
}

/** The gaps between boxes of one row. Boxes are sorted from left to right. */
export function gapsOf(row: readonly Box[], from: number, to: number): Gap[] {
  const gaps: Gap[] = [];
  let right = from;
  for (const box of row) {
    if (box.left > right) gaps.push({ from: right, to: box.left });
    right = Math.max(right, box.right);
  }
  if (to > right) gaps.push({ from: right, to });
  return gaps;
}

/** The common parts of two sorted lists of gaps that are at least `widthMin` wide. */
export function commonGaps(first: readonly Gap[], second: readonly Gap[], widthMin: number): Gap[] {
  const common: Gap[] = [];
  let [one, other] = [0, 0];
  for (;;) {
    const [a, b] = [first[one], second[other]];
    if (a === undefined || b === undefined) return common;
    const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
    if (to - from >= widthMin) common.push({ from, to });
    if (a.to < b.to) one++;
    else other++;
  }
}

/** The first and the last column whose cells a box reaches. It may overhang a gutter. */
export function columnsOf(gutters: readonly Gap[], { left, right }: Pick<Box, 'left' | 'right'>): [number, number] {
  const first = countWhere(gutters, ({ from }) => from <= left);
  const last = countWhere(gutters, ({ to }) => to < right);
  // A box within a gutter stands above one column or between two.
  return first > last ? [columnAt(gutters, left), columnAt(gutters, right)] : [first, last];
}

/** The index of the column that contains a position: the number of gutters on its left. */
export function columnAt(gutters: readonly Gap[], position: number): number {
  return countWhere(gutters, ({ from, to }) => (from + to) / 2 <= position);
}

/** The number of gutters at the beginning of the list for which `is` is true. */
function countWhere(gutters: readonly Gap[], is: (gutter: Gap) => boolean): number {
  let [low, high] = [0, gutters.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const gutter = gutters[middle];
    if (gutter !== undefined && is(gutter)) low = middle + 1;
    else high = middle;
  }
  return low;
}
