/** Writes a grid as a table. A row may have several lines. */
import type { Word } from '../page-model.js';
import { boundsOf } from '../words/rows.js';
import type { GridRow } from './aligned-rows.js';
import type { Gap } from './gutters.js';
import { joinHeadLines } from './head-lines.js';
import { cellMarkdown, type Table } from './table.js';

/** The distance of rows is larger than that of lines in one cell, by this factor. */
const rowPitchMin = 1.2;
/** Some rows have no key: sums, and the balance that was carried over. */
const keyShareMin = 0.8;
/** In a table of fewer columns, a line without a key may be a row, whose key is that of the row above. */
const cellsMin = 3;
/** A line below a cell begins where the cell does, in points. */
const sameLeftMax = 2;

/** The table of a grid. Lines that continue the cells of a row are joined with it. */
export function tableOf(grid: readonly GridRow[], gutters: readonly Gap[]): Table {
  const bounds = boundsOf(grid.flat(2));
  const rows = joinWrapped(joinHeadLines(grid)).map((row) => row.map((words) => cellMarkdown(words)));
  return {
    ...bounds,
    rows,
    columnEdges: [bounds.left, ...gutters.map(({ to }) => to)],
    size: grid[0]?.flat()[0]?.size ?? 0,
  };
}

function joinWrapped(grid: readonly GridRow[]): Word[][][] {
  const baselines = grid.map((row) => Math.max(...row.flat().map(({ baseline }) => baseline)));
  const pitches = baselines.map((baseline, index) => baseline - (baselines[index - 1] ?? -Infinity));
  const continues = grid.map((row, index) => mayContinue(row, grid[index - 1]));
  const ofRows = middle(pitches.filter((_, index) => index > 0 && continues[index] === false));
  const ofLines = middle(pitches.filter((_, index) => continues[index] === true));
  // The lines of one cell are closer than the rows.
  const pitchMax = ofRows >= ofLines * rowPitchMin ? ofLines * rowPitchMin : 0;
  const hasKeys = pitchMax === 0 && beginWithKeys(grid);
  const rows: Word[][][] = [];
  let record: GridRow = [];
  for (const [index, row] of grid.entries()) {
    const cells = row.map((cell) => cell.flatMap(({ words }) => words));
    const last = rows.at(-1);
    const pitch = pitches[index] ?? Infinity;
    const isClose = continues[index] === true && pitch < pitchMax;
    const isRemark = hasKeys && pitch < ofRows * rowPitchMin && isBelowCell(row, record);
    if (last !== undefined && (isClose || isRemark))
      for (const [column, words] of cells.entries()) last[column]?.push(...words);
    else {
      rows.push(cells);
      record = row;
    }
  }
  return rows;
}

/** Whether each row has a key in the first column, such as a date: then a line without one belongs to the row above. */
function beginWithKeys(grid: readonly GridRow[]): boolean {
  const several = grid.filter((row) => filledOf(row).length >= 2);
  return several.filter(([key]) => key !== undefined && key.length > 0).length >= several.length * keyShareMin;
}

/** Whether a row is one text that begins under a cell of a row with several cells. */
function isBelowCell(row: GridRow, above: GridRow): boolean {
  const [column = 0, ...others] = filledOf(row);
  const [text, cell] = [row[column]?.[0], above[column]?.[0]];
  if (column === 0 || others.length > 0 || text === undefined || cell === undefined) return false;
  const isText = text.words.some((word) => /\p{L}/u.test(word.text));
  return isText && filledOf(above).length >= cellsMin && Math.abs(text.left - cell.left) < sameLeftMax;
}

/** The columns with text. */
function filledOf(row: GridRow): number[] {
  return row.flatMap((cell, column) => (cell.length > 0 ? [column] : []));
}

/** Whether a line may continue the row above: it leaves the first column empty, or continues only one cell. */
function mayContinue(row: GridRow, above: GridRow | undefined): boolean {
  if (above === undefined) return false;
  const filled = filledOf(row);
  const [first] = filled;
  return first !== undefined && (first > 0 || (filled.length === 1 && (above[0]?.length ?? 0) > 0));
}

function middle(values: readonly number[]): number {
  return [...values].sort((first, second) => first - second)[values.length >> 1] ?? 0;
}
