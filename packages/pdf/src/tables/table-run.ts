/** A run of rows that may be a table without rules. */
import type { Box, Word } from '../page-model.js';
import type { Segment } from '../words/rows.js';
import { endsWithPages, gridOf, isTable, withoutHeadColumns } from './aligned-rows.js';
import { isSameSize } from '../layout/wrap-edges.js';
import { columnAt, commonGaps, type Gap, gapsOf } from './gutters.js';
import { withNarrowGutters } from './narrow-gutters.js';
import { splitRow } from './split-row.js';
import { columnsMax, rowsMax, type Table } from './table.js';
import { hasSharedColumn, headOf } from './table-head.js';
import { tableOf } from './table-of.js';

/** Gutters are at least half as wide as the letter M. */
const gutterEms = 0.5;
/** Rows with a larger gap, in multiples of the size, belong to two tables. */
const rowGapMax = 3.2;
/** A line below a row belongs to the cell that it begins under, in points. */
const sameLeftMax = 2;
/**
 * Rows have up to this many lines on average. Lines beside few labels are rather prose: in two columns, rows have fewer
 * lines.
 */
const [linesOfPairMax, linesOfRowMax] = [2, 4];
/** The distances of rows differ by less than this factor. */
const samePitchMax = 1.15;
/** After this many rows, a row that crosses gutters no longer ends the table. */
const spanRowsMin = 3;

export interface AlignedTable {
  table: Table;
  words: ReadonlySet<Word>;
}

export class TableRun {
  private readonly rows: Segment[][];
  private gutters: Gap[];
  private readonly size: number;
  private endsWithSpan = false;
  /** Lines below rows, which are wider than the column of their cell. */
  private readonly details = new Map<readonly Segment[], Segment[]>();
  private baseline = 0;
  /** The number of lines. */
  length = 0;
  /** The left and right edges of the whole text. */
  private readonly edges: Gap;

  constructor(
    first: Segment[],
    readonly start: number,
    private readonly region: Box,
  ) {
    this.rows = [];
    this.size = Math.max(...first.map(({ size }) => size));
    this.edges = { from: region.right, to: region.left };
    this.push(first);
    this.gutters = this.inner(gapsOf(first, region.left, region.right));
  }

  /** Adds a row, which comes before `next`. Returns false if the row does not belong to the table. */
  add(line: Segment[], next?: Segment[]): boolean {
    const row = splitRow(line, this.gutters, this.rows);
    const [first] = row;
    if (first === undefined || this.length >= rowsMax) return false;
    const baseline = first.words.reduce((highest, word) => Math.min(highest, word.baseline), Infinity);
    if (baseline - this.baseline > rowGapMax * Math.max(this.size, first.size)) return false;
    const inner = this.guttersWith(row);
    if (inner.length === 0 || inner.length > columnsMax) return false;
    const closed = this.closedBy(inner);
    if (row.length === 1 && closed > 0 && this.isDetail(first, next)) {
      this.pushDetail(first);
      return true;
    }
    const isNamed = row.length === 1 && this.namesGroup(first, next);
    if (row.length === 1 ? !isNamed && (closed > 0 || !this.takesSingle(first)) : hasSharedColumn(row, inner))
      return false;
    // A row whose text crosses a gutter has a cell that spans columns, if the rows before agree on that gutter.
    if (closed > 0 && (this.rows.length < spanRowsMin || this.endsWithSpan || closed * 2 > this.gutters.length))
      return false;
    if (closed === 0) this.gutters = inner;
    this.endsWithSpan = closed > 0;
    this.push(row);
    return true;
  }

  /** Whether a line of one segment is under a cell of the last row, and between rows or at the end of a table with such lines. */
  private isDetail({ left }: Segment, next: Segment[] = []): boolean {
    const row = this.rows.at(-1) ?? [];
    if (!row.slice(1).some((cell) => Math.abs(cell.left - left) < sameLeftMax)) return false;
    return this.fits(next) || (this.details.size > 0 && !this.details.has(row));
  }

  /** The gutters that remain with another row. */
  private guttersWith(row: readonly Segment[]): Gap[] {
    const gaps = gapsOf(row, this.region.left, this.region.right);
    return this.inner(commonGaps(this.gutters, gaps, gutterEms * this.size), row);
  }

  /** Whether a row has several cells in the columns. */
  private fits(row: readonly Segment[]): boolean {
    return row.length >= 2 && this.closedBy(this.guttersWith(row)) === 0;
  }

  /** The number of gutters without a part in the new gutters. */
  private closedBy(gutters: readonly Gap[]): number {
    let closed = 0;
    let next = 0;
    for (const { from, to } of this.gutters) {
      while ((gutters[next]?.to ?? Infinity) < from) next++;
      const gutter = gutters[next];
      if (gutter === undefined || gutter.from > to) closed++;
    }
    return closed;
  }

  /** Whether a line of one segment may be a row. A line in the first column is more likely a title or a paragraph. */
  private takesSingle(segment: Segment): boolean {
    if (segment.left >= (this.gutters[0]?.to ?? 0) - segment.size / 4) return true;
    const [first] = this.rows[0] ?? [];
    const [style, other] = [segment.words[0]?.style, this.rows.at(-1)?.[0]?.words[0]?.style];
    return this.rows.length >= 2 && first !== undefined && Math.abs(segment.left - first.left) < 2 && style === other;
  }

  /** Whether a line names a group of rows: it is as far from the last row as from the next one, and as large as they are. */
  private namesGroup({ baseline, left, size }: Segment, next: Segment[] = []): boolean {
    const isInFirst = left > this.edges.from - sameLeftMax && left < (this.gutters[0]?.from ?? 0);
    if (!isInFirst || !this.fits(next) || !isSameSize({ size }, { size: this.size })) return false;
    const [above, below] = [baseline - this.baseline, (next[0]?.baseline ?? Infinity) - baseline];
    return Math.max(above, below) < Math.min(above, below) * samePitchMax;
  }

  /** The table of the run. `above` are the rows before it, which may be its head. */
  table(above: readonly Segment[][], isContents: boolean): AlignedTable | null {
    let rows = this.rows;
    while ((rows.at(-1)?.length ?? 2) < 2 && !this.continues(rows)) rows = rows.slice(0, -1);
    const gutters = withoutHeadColumns(rows, this.inner(this.gutters));
    const several = rows.filter((row) => row.length >= 2).length;
    const linesMax = gutters.length > 1 ? linesOfRowMax : linesOfPairMax;
    if (gutters.length === 0 || several < 2 || several * linesMax < rows.length) return null;
    const grid = gridOf(rows, gutters);
    if (!isTable(grid, gutters) || (isContents && gutters.length === 1 && endsWithPages(grid))) return null;
    const columns = withNarrowGutters({ rows, gutters });
    const head = headOf(columns.rows, above, columns.gutters, this.edges);
    const complete = gridOf([...head, ...columns.rows], columns.gutters);
    for (const [index, row] of rows.entries())
      for (const detail of this.details.get(row) ?? [])
        complete[head.length + index]?.[columnAt(columns.gutters, detail.left + detail.size / 4)]?.push(detail);
    return {
      table: tableOf(complete, columns.gutters),
      words: new Set(complete.flat(2).flatMap(({ words }) => words)),
    };
  }

  /** Whether the last row has one segment and continues a cell of the row before. It is then closer than rows are. */
  private continues(rows: readonly Segment[][]): boolean {
    const [before, last] = [rows.at(-2)?.[0], rows.at(-1)?.[0]];
    if (before === undefined || last === undefined) return false;
    const pitch = last.baseline - before.baseline;
    if (pitch > 1.4 * this.size) return false;
    const isFirstColumn = last.left < (this.gutters[0]?.from ?? 0);
    return (
      !isFirstColumn ||
      rows.some((row, index) => (row[0]?.baseline ?? 0) - (rows[index - 1]?.[0]?.baseline ?? Infinity) > pitch * 1.2)
    );
  }

  /** Gaps that have text on both sides. */
  private inner(gaps: readonly Gap[], row: readonly Segment[] = []): Gap[] {
    const left = Math.min(this.edges.from, row[0]?.left ?? Infinity);
    const right = Math.max(this.edges.to, row.at(-1)?.right ?? -Infinity);
    return gaps.filter(({ from, to }) => from > left && to < right);
  }

  private pushDetail(segment: Segment): void {
    const row = this.rows.at(-1) ?? [];
    this.details.set(row, [...(this.details.get(row) ?? []), segment]);
    this.baseline = segment.baseline;
    this.length++;
  }

  private push(row: Segment[]): void {
    this.rows.push(row);
    this.baseline = row[0]?.baseline ?? 0;
    this.length++;
    this.edges.from = Math.min(this.edges.from, row[0]?.left ?? Infinity);
    this.edges.to = Math.max(this.edges.to, row.at(-1)?.right ?? -Infinity);
  }
}
