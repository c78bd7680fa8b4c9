/** Joins the lines of a head whose cells end on one line: a name of two lines begins above the names beside it. */
import type { Segment } from '../words/rows.js';
import type { GridRow } from './aligned-rows.js';

/** Lines of a name are closer, in multiples of the size. */
const linePitchMax = 1.4;
/** The edges or middles of aligned lines differ by less, in points. */
const alignedMax = 3.5;
const linesMax = 4;

/** The grid, in which the first lines of the head are part of the row that fills the most columns. */
export function joinHeadLines(grid: readonly GridRow[]): GridRow[] {
  let [head, ...rows] = grid;
  for (let lines = 1; lines < linesMax && head !== undefined && rows[0] !== undefined; lines++) {
    if (!continuesIn(head, rows[0])) break;
    const above = head;
    head = rows[0].map((cell, column) => [...(above[column] ?? []), ...cell]);
    rows = rows.slice(1);
  }
  return head === undefined ? [] : [head, ...rows];
}

/** Whether each text of a row stands on a text of the next row, which has more. A name of several columns does not. */
function continuesIn(row: GridRow, next: GridRow): boolean {
  const filled = row.filter((cell) => cell.length > 0).length;
  if (filled === 0 || filled >= next.filter((cell) => cell.length > 0).length || (row[0]?.length ?? 0) > 0)
    return false;
  return row.every((cell, column) => cell.length === 0 || standsOn(cell.at(-1), next[column]?.[0]));
}

function standsOn(above: Segment | undefined, below: Segment | undefined): boolean {
  if (above === undefined || below === undefined || !isName(above) || !isName(below)) return false;
  const [left, right] = [above.left - below.left, above.right - below.right];
  const isAligned = Math.min(Math.abs(left), Math.abs(right), Math.abs(left + right) / 2) < alignedMax;
  return isAligned && below.baseline - above.baseline < linePitchMax * Math.max(above.size, below.size);
}

function isName({ words }: Segment): boolean {
  return words.some(({ text }) => /\p{L}/u.test(text));
}
