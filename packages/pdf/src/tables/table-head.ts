import type { Segment } from '../words/rows.js';
import { columnAt, commonGaps, type Gap } from './gutters.js';
import { splitRow } from './split-row.js';

/** Lines of a head are closer than this, in multiples of the size. */
const headGapMax = 2.5;
/** A head has up to this many lines. */
export const headRowsMax = 4;
/** Names of columns may be wider than the values of the last column, in multiples of the size. */
const headOverhangEms = 4;

/** Whether two segments of a row are in one column. Text in a cell has no wide gaps. */
export function hasSharedColumn(row: readonly Segment[], gutters: readonly Gap[]): boolean {
  return row.some((segment, index) => {
    const before = row[index - 1];
    return before !== undefined && commonGaps(gutters, [{ from: before.right, to: segment.left }], 0).length === 0;
  });
}

/**
 * The rows above a table that name its columns. A row of the head may leave columns out and span others. `edges` are
 * the left and right edges of the table.
 */
export function headOf(
  rows: readonly (readonly Segment[])[],
  above: readonly (readonly Segment[])[],
  gutters: readonly Gap[],
  edges: Gap,
): Segment[][] {
  const head: Segment[][] = [];
  let below = rows[0]?.[0];
  for (const row of above.toReversed()) {
    const cells = splitRow(row, gutters, rows.slice(0, 1));
    const [first] = cells;
    if (first === undefined || below === undefined) break;
    if (below.baseline - first.baseline > headGapMax * Math.max(first.size, below.size)) break;
    const isInside =
      first.left >= edges.from - first.size && (cells.at(-1)?.right ?? 0) <= edges.to + headOverhangEms * first.size;
    const isBesideFirst = first.left >= (gutters[0]?.from ?? 0);
    if (!isInside || (cells.length < 2 && !isBesideFirst) || hasSharedColumn(cells, gutters)) break;
    head.unshift(cells);
    below = first;
  }
  // A single line above the names of columns is a title. A single line above several columns is text.
  while (head[0]?.length === 1) head.shift();
  const named = new Set(head.flat().map(({ left, right }) => columnAt(gutters, (left + right) / 2)));
  return named.size >= 2 ? head : [];
}
