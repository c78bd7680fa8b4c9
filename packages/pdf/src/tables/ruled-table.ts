/** Reads tables whose cells are separated by rules. A separator that is missing makes a cell span rows or columns. */
import { startsItem } from '../layout/list-mark.js';
import type { Rule, Word } from '../page-model.js';
import { rowsOf, segmentsOf } from '../words/rows.js';
import { CellGrid, type FilledCell, sameLineMax } from './cell-grid.js';
import type { Grid } from './rule-grid.js';
import { columnsMax, rowsMax, type Table, usualSize } from './table.js';
import { isStacked } from './value-rows.js';

/** A grid with fewer filled cells is decoration, or the guide lines of a plot. */
const filledShareMin = 0.15;
/** If more than this share of the words crosses the rules, the rules separate nothing. */
const dividedShareMax = 0.04;
/** A cell with fewer lines may list its values. */
const stackedLinesMin = 4;
const columnGapEms = 1.5;
/** The step in which heights of lines are compared, in points. */
const heightStep = 2;
/** Rules that extend further beyond the last vertical rule underline a column without a border. */
const openColumnMin = 12;

export interface RuledTable {
  table: Table;
  words: ReadonlySet<Word>;
}

/** The table of a grid. Null if the grid is a frame, a drawing, or a layout of the page. */
export function ruledTable(grid: Grid, words: readonly Word[]): RuledTable | null {
  const xs = linesOf(grid.vertical, [grid.left, grid.right]);
  const ys = linesOf(grid.horizontal, [grid.top, grid.bottom]);
  const [columns, rows] = [xs.length - 1, ys.length - 1];
  if (columns < 2 || rows < 2 || columns > columnsMax || rows > rowsMax) return null;
  const cells = new CellGrid(grid, xs, ys);
  const inside: Word[] = [];
  for (const word of words) if (cells.add(word)) inside.push(word);
  const filled = cells.filled();
  if (filled.length < 3 || filled.length < cells.count * filledShareMin) return null;
  if (isLayout(filled) || cells.divided > inside.length * dividedShareMax) return null;
  const kept = dropEmpty(cells.markdown(), xs);
  if (kept.rows.length < 2 || kept.columnEdges.length < 2) return null;
  const { left, top, right, bottom } = grid;
  return {
    table: { left, top, right, bottom, ...kept, size: usualSize(inside) },
    words: new Set(inside),
  };
}

/** The positions of rules, and the ends of crossing rules that extend beyond them. */
function linesOf(rules: readonly Rule[], ends: readonly [number, number]): number[] {
  const positions = rules.map(({ at }) => at).sort((first, second) => first - second);
  const lines: number[] = [];
  for (const at of positions) if (at - (lines.at(-1) ?? -Infinity) > sameLineMax) lines.push(at);
  const [start, end] = ends;
  if ((lines[0] ?? Infinity) - start > openColumnMin) lines.unshift(start);
  if (end - (lines.at(-1) ?? -Infinity) > openColumnMin) lines.push(end);
  return lines;
}

/** Whether rules separate only groups of cells, or parts of a page. Then other signs have to show the cells. */
function isLayout(cells: readonly FilledCell[]): boolean {
  let [all, inColumns, outsideLists, stacked] = [0, 0, 0, 0];
  const linesOfCells = cells.map(({ words, right }) => ({ lines: rowsOf(words), right }));
  const beside = cellsByHeight(linesOfCells);
  for (const { lines, right } of linesOfCells) {
    // The author of a list ends its lines.
    const others = lines.filter((line) => !startsItem(line));
    all += lines.length;
    outsideLists += others.length;
    if (lines.length >= stackedLinesMin && isInColumns(lines)) inColumns += lines.length;
    else if (others.length >= stackedLinesMin && isStacked(others, right) && haveBeside(others, beside))
      stacked += others.length;
  }
  return inColumns > all / 4 || stacked > outsideLists / 2;
}

/** The number of cells with a line at each height. */
function cellsByHeight(cells: readonly { lines: Word[][] }[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { lines } of cells)
    for (const height of new Set(lines.flatMap(heightsOf))) counts.set(height, (counts.get(height) ?? 0) + 1);
  return counts;
}

/** Two lines that are less than a step apart share one of these keys. */
function heightsOf([word]: readonly Word[]): number[] {
  const height = Math.floor((word?.baseline ?? 0) / heightStep);
  return [height, height + 1];
}

/**
 * Whether most lines of a cell have lines of other cells beside them. Values below each other then belong to rows.
 * Paragraphs do not have such neighbours.
 */
function haveBeside(lines: readonly Word[][], beside: ReadonlyMap<number, number>): boolean {
  const shared = lines.filter((line) => heightsOf(line).some((height) => (beside.get(height) ?? 0) > 1));
  return shared.length >= lines.length / 2;
}

function isInColumns(lines: readonly Word[][]): boolean {
  // The gap behind the mark of a list item separates no cells.
  const words = lines.flatMap((line) => (startsItem(line) ? line.slice(1) : line));
  return segmentsOf(words, columnGapEms).length >= lines.length * 1.6;
}

/** Rows and columns between double borders are empty. */
function dropEmpty(rows: readonly string[][], xs: readonly number[]): Pick<Table, 'rows' | 'columnEdges'> {
  const isUsed = (_: unknown, column: number): boolean => rows.some((row) => (row[column] ?? '') !== '');
  const used = (rows[0] ?? []).map(isUsed);
  return {
    rows: rows
      .filter((row) => row.some((cell) => cell !== ''))
      .map((row) => row.filter((_, column) => used[column] === true)),
    columnEdges: xs.slice(0, -1).filter((_, column) => used[column] === true),
  };
}
