/** Puts rows of aligned segments into columns, and judges whether they form a table. */
import { boundsOf, rowsOf, type Segment, segmentGapEms } from '../words/rows.js';
import { columnsOf, type Gap } from './gutters.js';

/** Edges of a column's cells that are this close are aligned. Kerning and italics move edges by less. */
const alignedMax = 3.5;
/** In each column, most cells share their left edge, their right edge, or their middle. */
const alignedShareMin = 0.6;
/** Tables leave some cells empty, but seldom most of them. */
const filledShareMin = 0.38;
/** Lines of prose have more letters than this, in narrow columns too. Values and labels have fewer. */
const proseLettersMin = 24;
/** The text of a cell has no wide gaps, except where it is justified. */
const sharedCellsMax = 0.1;
/** At most this share of rows has a cell that spans columns: titles of groups, and heads. */
const spanRowsMax = 0.25;
/** Heads of tables have up to two rows. The second row divides the names of the first. */
const headRowsMax = 2;

const listMark =
  /^(?:[•‣◦▪●○■□–—*·\-+✓➢➤o]|\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-zA-Z]|[ivxlc]{1,5})[.)]|\d{1,2}(?:\.\d{1,2})+|\[\d{1,3}\])$/u;
const leader = /(?:\.\s?){4,}/;

export type GridRow = Segment[][];

/**
 * Puts the segments of each row into columns. A segment across gutters belongs to the first column that it touches. In
 * a head whose next row divides it, the segment names all these columns.
 */
export function gridOf(rows: readonly Segment[][], gutters: readonly Gap[]): GridRow[] {
  return rows.map((row, index) => {
    const isDivided = index === 0 && row.length >= 2 && row.length < (rows[1]?.length ?? 0);
    const cells: Segment[][] = Array.from({ length: gutters.length + 1 }, () => []);
    for (const segment of row) {
      const [first, last] = reachOf(segment, gutters);
      for (let at = first; at <= (isDivided ? last : first); at++) cells[at]?.push(segment);
    }
    return cells;
  });
}

/** Gutters without the columns that only a head fills. Such a column arises if a name is centered above the gap between two columns. */
export function withoutHeadColumns(rows: readonly Segment[][], gutters: readonly Gap[]): Gap[] {
  if (rows.length < headRowsMax + 2) return [...gutters];
  const filled = gridOf(rows.slice(headRowsMax), gutters);
  const kept: Gap[] = [];
  for (const [column, gutter] of gutters.entries()) {
    const last = kept.at(-1);
    const isEmpty = last !== undefined && filled.every((row) => row[column]?.length === 0);
    if (isEmpty) last.to = gutter.to;
    else kept.push({ ...gutter });
  }
  return kept;
}

/** Whether a grid is a table. It may also be columns of prose, a list, a table of contents, or program code. */
export function isTable(grid: readonly GridRow[], gutters: readonly Gap[]): boolean {
  const width = gutters.length + 1;
  const filled = grid.reduce((sum, row) => sum + row.filter((cell) => cell.length > 0).length, 0);
  if (width < 2 || grid.length < (width === 2 ? 3 : 2) || filled < filledShareMin * width * grid.length) return false;
  if (grid.length === 2 && !hasValues(grid[1] ?? [])) return false;
  if (grid.flat().filter(hasGap).length > filled * sharedCellsMax) return false;
  if (grid.filter((row) => row.flat().some((segment) => crosses(segment, gutters))).length > grid.length * spanRowsMax)
    return false;
  const words = grid.flat(2).flatMap((segment) => segment.words);
  const mono = words.filter(({ style }) => style.isMono).length;
  if (mono > words.length / 2) return false;
  if (grid.filter((row) => row.flat().some(hasLeader)).length > grid.length / 2) return false;
  const columns = Array.from({ length: width }, (_, column) => grid.flatMap((row) => row[column] ?? []));
  if (isMarkColumn(columns[0] ?? []) && width === 2) return false;
  if (columns.filter(isProse).length > Math.max(1, width - 2)) return false;
  return columns.filter(isAligned).length >= Math.ceil(width * alignedShareMin);
}

/** Whether a row has values. Two rows of names beside each other are authors, addresses or captions. */
function hasValues(row: GridRow): boolean {
  const filled = row.filter((cell) => cell.length > 0);
  return filled.filter((cell) => cell.some((segment) => /\d/.test(textOf(segment)))).length * 3 >= filled.length;
}

function crosses(segment: Segment, gutters: readonly Gap[]): boolean {
  const [first, last] = reachOf(segment, gutters);
  return first !== last;
}

/** The first and the last column of a segment. Kerning and italics reach into the next column by less than a quarter of the size. */
function reachOf({ left, right, size }: Segment, gutters: readonly Gap[]): [number, number] {
  return columnsOf(gutters, { left: left + size / 4, right: right - size / 4 });
}

function hasGap(cell: readonly Segment[]): boolean {
  return cell.some((segment, index) => {
    const before = cell[index - 1];
    return before !== undefined && segment.left - before.right > segment.size * segmentGapEms;
  });
}

/** Whether the last column has only page numbers, as in a table of contents without dots. */
export function endsWithPages(grid: readonly GridRow[]): boolean {
  const last = grid.map((row) => row.at(-1)?.map(textOf).join(' ') ?? '');
  return last.every((text) => /^(?:\d{1,4}|[ivxlc]{1,6})$/.test(text));
}

export function hasLeader(segment: Segment): boolean {
  return leader.test(textOf(segment));
}

function textOf({ words }: Segment): string {
  return words.map(({ text }) => text).join(' ');
}

/** Whether most cells are bullets or numbers of items. */
export function isMarkColumn(cells: readonly Segment[]): boolean {
  const marks = cells.filter((cell) => listMark.test(textOf(cell))).length;
  return marks >= cells.length * 0.8;
}

/** Whether most lines of a column are long and fill its width. */
function isProse(cells: readonly Segment[]): boolean {
  const { left, right } = boundsOf(cells);
  const long = cells.filter(
    (cell) => cell.letters >= proseLettersMin && cell.right - cell.left >= 0.7 * (right - left),
  );
  return cells.length >= 3 && long.length >= cells.length * 0.5;
}

function isAligned(cells: readonly Segment[]): boolean {
  if (cells.length < 2) return true;
  const share = (edge: (cell: Segment) => number): number => largestCluster(cells.map(edge)) / cells.length;
  return (
    share(({ left }) => left) >= alignedShareMin ||
    share(({ right }) => right) >= alignedShareMin ||
    share(({ left, right }) => (left + right) / 2) >= alignedShareMin
  );
}

function largestCluster(values: readonly number[]): number {
  const sorted = [...values].sort((first, second) => first - second);
  let [largest, from] = [0, 0];
  for (const [index, value] of sorted.entries()) {
    while (value - (sorted[from] ?? value) > alignedMax) from++;
    largest = Math.max(largest, index - from + 1);
  }
  return largest;
}

/** Groups segments into rows from left to right. */
export function segmentRows(segments: readonly Segment[]): Segment[][] {
  return rowsOf(segments);
}
