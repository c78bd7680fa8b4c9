/** Reads the tables that the structure tree of a page describes. */
import type { TaggedTable, Word } from '../page-model.js';
import { boundsOf } from '../words/rows.js';
import { cellMarkdown, columnsMax, repeatedCell, rowsMax, type Table, usualSize } from './table.js';
import { type PlacedCell, TaggedColumns } from './tagged-columns.js';

export interface FoundTaggedTable {
  table: Table;
  words: ReadonlySet<Word>;
}

/** The table with the words of its cells. Null if it only arranges the page, or if it has no text on the page. */
export function taggedTable(
  { rows }: TaggedTable,
  wordsById: ReadonlyMap<number, readonly Word[]>,
): FoundTaggedTable | null {
  const placed = rows.slice(0, rowsMax).map((row): PlacedCell[] =>
    row.map((cell) => {
      const words = cell.contentIds.flatMap((id) => wordsById.get(id) ?? []);
      return { ...cell, words, box: boundsOf(words) };
    }),
  );
  const columns = new TaggedColumns(placed);
  const grid: string[][] = [];
  for (const [rowIndex, row] of placed.entries()) {
    const starts = columns.startsOf(row, grid[rowIndex] ?? []);
    for (const [index, cell] of row.entries()) {
      const column = starts[index] ?? 0;
      const text = cellMarkdown(cell.words);
      for (let down = 0; down < Math.min(cell.rows, rows.length - rowIndex); down++) {
        const line = (grid[rowIndex + down] ??= []);
        for (let right = 0; right < cell.columns && column + right < columnsMax; right++)
          line[column + right] ??= down + right === 0 ? text : repeatedCell(text);
      }
    }
  }
  const used = placed.flat().flatMap(({ words }) => words);
  const width = Math.max(0, ...grid.map((row) => row.length));
  if (width < 2 || used.length === 0) return null;
  const filled = Array.from(grid, (row) => Array.from({ length: width }, (_, column) => row?.[column] ?? ''));
  if (filled.filter((row) => row.some((cell) => cell !== '')).length < 2) return null;
  return { table: { ...boundsOf(used), rows: filled, columnEdges: [], size: usualSize(used) }, words: new Set(used) };
}

export const wordsByContentId = (words: readonly Word[]): Map<number, Word[]> =>
  Map.groupBy(
    words.filter(({ contentId }) => contentId >= 0),
    ({ contentId }) => contentId,
  );
