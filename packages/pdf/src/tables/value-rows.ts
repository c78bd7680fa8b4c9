/** Finds rows that no rule separates: the values in all columns stand below each other. */
import { startsItem } from '../layout/list-mark.js';
import type { Word } from '../page-model.js';
import { rowsOf } from '../words/rows.js';

/** Two neighbouring cells with three lines each may be addresses. */
const linesMin = 4;
const linesMinOfSeveral = 3;

/** The lines of a row of cells, as rows. Null if they belong to longer texts. `rights` are the right borders of the cells. */
export function valueRows(cells: readonly (readonly Word[])[], rights: readonly number[]): Word[][][] | null {
  const lines = cells.map((words) => rowsOf(words));
  const filled = lines.filter((cell) => cell.length > 0);
  const [{ length } = { length: 0 }] = filled;
  if (filled.length < 2 || length < (filled.length === 2 ? linesMin : linesMinOfSeveral)) return null;
  if (filled.some((cell) => cell.length !== length) || rowsOf(cells.flat()).length !== length) return null;
  // Items of neighbouring lists do not form rows.
  if (lines.some((cell) => cell.some((line) => startsItem(line)))) return null;
  if (!lines.some((cell, column) => cell.length > 0 && isStacked(cell, rights[column] ?? 0))) return null;
  return Array.from({ length }, (_, row) => lines.map((cell) => cell[row] ?? []));
}

/** Whether lines end although the next word would have fitted. Then they are values below each other. */
export function isStacked(lines: readonly Word[][], right: number): boolean {
  let early = 0;
  for (const [index, line] of lines.entries()) {
    const [next, last] = [lines[index + 1]?.[0], line.at(-1)];
    if (next !== undefined && last !== undefined && right - last.right > next.right - next.left + next.size) early++;
  }
  return early >= (lines.length - 1) / 2;
}
