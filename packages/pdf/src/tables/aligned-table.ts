/** Finds tables without rules: runs of rows whose segments share their gaps. */
import type { Box } from '../page-model.js';
import { boundsOf, type Segment } from '../words/rows.js';
import { endsWithPages, gridOf, hasLeader, isTable, segmentRows, tableOf, withoutHeadColumns } from './aligned-rows.js';
import { columnAt, commonGaps, type Gap, gapsOf } from './gutters.js';
import { columnsMax, rowsMax, type Table } from './table.js';

/** Gutters are at least half as wide as the letter M. */
const gutterEms = 0.5;
/** Rows with a larger gap, in multiples of the size, belong to two tables. */
const rowGapMax = 3.2;

/** A head has up to this many lines. */
const headRowsMax = 4;
/** Lines of a head are closer than this, in multiples of the size. */
const headGapMax = 2.5;
/** Names of columns may be wider than the values of the last column, in multiples of the size. */
const headOverhangEms = 4;
/** After this many rows, a row that crosses gutters no longer ends the table. */
const spanRowsMin = 3;

export interface AlignedTable {
  table: Table;
  segments: ReadonlySet<Segment>;
}

/** The tables among the segments of one column of a page. */
export function alignedTables(segments: readonly Segment[]): AlignedTable[] {
  const bounds = boundsOf(segments);
  const rows = segmentRows(segments);
  const runs: Run[] = [];
  let isOpen = false;
  for (const [index, row] of rows.entries()) {
    isOpen = isOpen && runs.at(-1)?.add(row) === true;
    if (isOpen || row.length < 2) continue;
    runs.push(new Run(row, index, bounds));
    isOpen = true;
  }
  const isContents = segments.some(hasLeader);
  const tables: AlignedTable[] = [];
  let free = 0;
  for (const run of runs) {
    const found = run.table(rows.slice(Math.max(free, run.start - headRowsMax), run.start), isContents);
    if (found === null) continue;
    tables.push(found);
    free = run.start + run.length;
  }
  return tables;
}

/** Whether two segments of a row are in one column. Text in a cell has no wide gaps. */
function hasSharedColumn(row: readonly Segment[], gutters: readonly Gap[]): boolean {
  return row.some((segment, index) => {
    const before = row[index - 1];
    return before !== undefined && columnAt(gutters, before.right) === columnAt(gutters, segment.left);
  });
}

class Run {
  private readonly rows: Segment[][];
  private gutters: Gap[];
  private readonly size: number;
  private endsWithSpan = false;
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

  /** Adds a row. Returns false if the row does not belong to the table. */
  add(row: Segment[]): boolean {
    const before = this.rows.at(-1)?.[0];
    const [first] = row;
    if (before === undefined || first === undefined || this.rows.length >= rowsMax) return false;
    if (first.baseline - before.baseline > rowGapMax * Math.max(this.size, first.size)) return false;
    const common = commonGaps(this.gutters, gapsOf(row, this.region.left, this.region.right), gutterEms * this.size);
    const inner = this.inner(common, row);
    if (inner.length === 0 || inner.length > columnsMax) return false;
    const closed = this.closedBy(inner);
    if (row.length === 1 ? closed > 0 || !this.takesSingle(first) : hasSharedColumn(row, inner)) return false;
    // A row whose text crosses a gutter has a cell that spans columns, if the rows before agree on that gutter.
    if (closed > 0 && (this.rows.length < spanRowsMin || this.endsWithSpan || closed * 2 > this.gutters.length))
      return false;
    if (closed === 0) this.gutters = inner;
    this.endsWithSpan = closed > 0;
    this.push(row);
    return true;
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

  get length(): number {
    return this.rows.length;
  }

  /** The table of the run. `above` are the rows before it, which may be its head. */
  table(above: readonly Segment[][], isContents: boolean): AlignedTable | null {
    let rows = this.rows;
    while ((rows.at(-1)?.length ?? 2) < 2 && !this.continues(rows)) rows = rows.slice(0, -1);
    const gutters = withoutHeadColumns(rows, this.inner(this.gutters));
    const complete = rows.filter((row) => row.length >= 2).length;
    if (gutters.length === 0 || complete < 2 || complete * 2 < rows.length) return null;
    const grid = gridOf(rows, gutters);
    if (!isTable(grid, gutters) || (isContents && gutters.length === 1 && endsWithPages(grid))) return null;
    const all = [...this.head(above, gutters), ...rows];
    return { table: tableOf(gridOf(all, gutters), gutters), segments: new Set(all.flat()) };
  }

  /** The rows above the table that name columns. A row of the head may leave columns out and span others. */
  private head(above: readonly Segment[][], gutters: readonly Gap[]): Segment[][] {
    const head: Segment[][] = [];
    let below = this.rows[0]?.[0];
    for (const row of above.toReversed()) {
      const [first] = row;
      if (first === undefined || below === undefined) break;
      if (below.baseline - first.baseline > headGapMax * Math.max(first.size, below.size)) break;
      const isInside =
        first.left >= this.edges.from - first.size &&
        (row.at(-1)?.right ?? 0) <= this.edges.to + headOverhangEms * first.size;
      const isBesideFirst = first.left >= (gutters[0]?.from ?? 0);
      if (!isInside || (row.length < 2 && !isBesideFirst) || hasSharedColumn(row, gutters)) break;
      head.unshift(row);
      below = first;
    }
    // A single line above the names of columns is a title. A single line above several columns is text.
    while (head[0]?.length === 1) head.shift();
    const named = new Set(head.flat().map(({ left, right }) => columnAt(gutters, (left + right) / 2)));
    return named.size >= 2 ? head : [];
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

  private push(row: Segment[]): void {
    this.rows.push(row);
    this.edges.from = Math.min(this.edges.from, row[0]?.left ?? Infinity);
    this.edges.to = Math.max(this.edges.to, row.at(-1)?.right ?? -Infinity);
  }
}
