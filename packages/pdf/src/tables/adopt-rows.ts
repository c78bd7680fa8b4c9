/** Adds rows above or below the rules to a ruled table. Shaded rows alternate with plain ones, and sums follow the last rule. */
import type { Word } from '../page-model.js';
import { rowsOf, type Segment, segmentsOf } from '../words/rows.js';
import type { Gap } from './gutters.js';
import { splitSegment } from './split-row.js';
import { cellMarkdown, type Table } from './table.js';

/** A row fills at least this share of the columns. Otherwise it is text beside or below the table. */
const filledShareMin = 0.6;
/** A row is at most this many row heights away. */
const distanceMax = 1.3;
const rowsMax = 4;
/** The edges of a column's cells differ by less, in points. */
const sameEdgeMax = 2;

/** Extends the table. Returns the words of the new rows. */
export function adoptRows(table: Table, words: readonly Word[]): Set<Word> {
  const height = (table.bottom - table.top) / Math.max(1, table.rows.length);
  const near = words.filter(
    ({ top, bottom }) =>
      bottom > table.top - rowsMax * height && top < table.bottom + rowsMax * height && bottom - top < height * 1.5,
  );
  const startsColumn = ({ from, to }: Gap): boolean =>
    table.columnEdges.some((edge) => edge > from && edge <= to + sameEdgeMax);
  const rows = rowsOf(near).map((row) => segmentsOf(row).flatMap((segment) => splitSegment(segment, startsColumn)));
  const adopted = new Set<Word>();
  const below = rows.filter(([first]) => first !== undefined && first.baseline > table.bottom);
  const above = rows.filter(([first]) => first !== undefined && first.baseline < table.top).toReversed();
  for (const [side, isBelow] of [
    [below, true],
    [above, false],
  ] as const)
    for (const row of side.slice(0, rowsMax)) {
      const cells = cellsOf(row, table, height, isBelow);
      if (cells === null) break;
      if (isBelow) table.rows.push(cells);
      else table.rows.unshift(cells);
      for (const segment of row) {
        table.top = Math.min(table.top, segment.top);
        table.bottom = Math.max(table.bottom, segment.bottom);
        for (const word of segment.words) adopted.add(word);
      }
    }
  return adopted;
}

function cellsOf(row: readonly Segment[], table: Table, height: number, isBelow: boolean): string[] | null {
  const { columnEdges, left, right } = table;
  const [first, last] = [row[0], row.at(-1)];
  if (first === undefined || last === undefined || first.left < left - 2 || last.right > right + 2) return null;
  const distance = isBelow ? first.bottom - table.bottom : table.top - first.top;
  if (distance > height * distanceMax || row.length < Math.max(2, columnEdges.length * filledShareMin)) return null;
  const cells = columnEdges.map(() => '');
  for (const segment of row) {
    const column = columnOf(columnEdges, segment.left + 2);
    if (column !== columnOf(columnEdges, segment.right - 2) || cells[column] !== '') return null;
    cells[column] = cellMarkdown(segment.words);
  }
  return cells;
}

function columnOf(edges: readonly number[], x: number): number {
  let column = 0;
  while (column + 1 < edges.length && (edges[column + 1] ?? Infinity) <= x) column++;
  return column;
}
