/**
 * Finds the gutters within the columns of a table. A gap of half the size is too narrow to divide a single line. If all
 * rows share it, it divides columns, such as amounts from their units.
 */
import { boundsOf, largestSize, type Segment } from '../words/rows.js';
import { isMarkColumn } from './aligned-rows.js';
import { columnAt, columnsOf, commonGaps, type Gap, gapsOf } from './gutters.js';
import { cellGapEms, splitSegment } from './split-row.js';

const rowsMin = 3;
/** Of the rows with text in a column, at least this share has text on both sides of the gutter. */
const bothSidesShareMin = 0.6;

export interface Columns {
  rows: readonly Segment[][];
  gutters: readonly Gap[];
}

export function withNarrowGutters({ rows, gutters }: Columns): Columns {
  const divided = rows.map((row) => row.flatMap((segment) => splitSegment(segment, () => true)));
  const narrow = sharedGaps(rows, divided, gutters).filter((gap) => dividesColumn(gap, divided, gutters));
  if (narrow.length === 0) return { rows, gutters };
  const isNarrow = (gap: Gap): boolean => commonGaps(narrow, [gap], 0).length > 0;
  return {
    rows: rows.map((row) => row.flatMap((segment) => splitSegment(segment, isNarrow))),
    gutters: [...gutters, ...narrow].sort((first, second) => first.from - second.from),
  };
}

/** The gaps that all rows share, besides the gutters. A row that crosses a gutter does not count. */
function sharedGaps(rows: readonly Segment[][], divided: readonly Segment[][], gutters: readonly Gap[]): Gap[] {
  const { left, right } = boundsOf(rows.flat());
  const size = largestSize(rows.flat());
  let shared: Gap[] = [{ from: left, to: right }];
  for (const [index, row] of divided.entries()) {
    const crosses = rows[index]?.some((segment) => new Set(columnsOf(gutters, segment)).size > 1) === true;
    if (!crosses) shared = commonGaps(shared, gapsOf(row, left, right), cellGapEms * size);
  }
  return shared.filter((gap) => gap.from > left && gap.to < right && commonGaps([...gutters], [gap], 0).length === 0);
}

function dividesColumn(gap: Gap, rows: readonly Segment[][], gutters: readonly Gap[]): boolean {
  const column = columnAt(gutters, gap.from);
  const cells = rows
    .map((row) => row.filter(({ left }) => columnAt(gutters, left) === column))
    .filter((row) => row.length > 0);
  const marks = cells.flatMap((row) => row.filter(({ right }) => right <= gap.from));
  const both = cells.filter(
    (row) => hasText(row, ({ right }) => right <= gap.from) && hasText(row, ({ left }) => left >= gap.to),
  );
  return both.length >= Math.max(rowsMin, cells.length * bothSidesShareMin) && !isMarkColumn(marks);
}

/** Whether there are letters or digits. A sign of currency is a part of its amount. */
function hasText(row: readonly Segment[], is: (segment: Segment) => boolean): boolean {
  return row.some((segment) => is(segment) && segment.words.some(({ text }) => /[\p{L}\p{N}]/u.test(text)));
}
