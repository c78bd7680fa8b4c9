/** Finds rows of a table that no rule separates: their values stand below each other in all columns. */
import { startsItem } from '../layout/list-mark.js';
import type { Word } from '../page-model.js';
import { rowsOf } from '../words/rows.js';

/** Two cells beside each other may be addresses of three lines. */
const linesMin = 4;
const linesMinOfSeveral = 3;

/** The lines of a row of cells as rows. Null if they are the lines of longer texts. `rights` are the right borders of the cells. */
export function valueRows(cells: readonly (readonly Word[])[], rights: readonly number[]): Word[][][] | null {
  const lines = cells.map((words) => rowsOf(words));
  const filled = lines.filter((cell) => cell.length > 0);
  const [{ length } = { length: 0 }] = filled;
  if (filled.length < 2 || length < (filled.length === 2 ? linesMin : linesMinOfSeveral)) return null;
  if (filled.some((cell) => cell.length !== length) || rowsOf(cells.flat()).length !== length) return null;
  // The items of lists beside each other are not of one row.
  if (lines.some((cell) => cell.some((line) => startsItem(line)))) return null;
  if (!lines.some((cell, column) => cell.length > 0 && isStacked(cell, rights[column] ?? 0))) return null;
  return Array.from({ length }, (_, row) => lines.map((cell) => cell[row] ?? []));
}

/** Whether lines end although the next word would have fitted: they are values below each other. */
export function isStacked(lines: readonly Word[][], right: number): boolean {
  let early = 0;
  for (const [index, line] of lines.entries()) {
    const [next, last] = [lines[index + 1]?.[0], line.at(-1)];
    if (next !== undefined && last !== undefined && right - last.right > next.right - next.left + next.size) early++;
  }
  return early >= (lines.length - 1) / 2;
}
