/**
 * Finds the columns of tagged cells. A row has a tag for each cell, but browsers write none for empty cells. In a row
 * with fewer cells than a complete one, a cell is in the column whose edge or middle is nearest.
 */
import type { Box, TaggedCell, Word } from '../page-model.js';
import { boundsOf } from '../words/rows.js';

export interface PlacedCell extends TaggedCell {
  words: readonly Word[];
  box: Box;
}

export class TaggedColumns {
  private readonly width: number;
  /** The extents of the columns, from complete rows. Empty if there are none. */
  private readonly extents: readonly Box[];

  constructor(rows: readonly (readonly PlacedCell[])[]) {
    this.width = Math.max(0, ...rows.map(widthOf));
    const complete = rows.filter(
      (row) => row.length === this.width && row.every(({ columns, words }) => columns === 1 && words.length > 0),
    );
    this.extents =
      complete.length === 0
        ? []
        : Array.from({ length: this.width }, (_, column) =>
            boundsOf(complete.flatMap((row) => row[column]?.box ?? [])),
          );
  }

  /** The first column of each cell of a row. `taken` are the columns that cells of the rows above reach. */
  startsOf(row: readonly PlacedCell[], taken: readonly (string | undefined)[]): number[] {
    const free = (column: number): number => {
      while (taken[column] !== undefined) column++;
      return column;
    };
    const reached = taken.filter((text) => text !== undefined).length;
    let missing = this.width - widthOf(row) - reached;
    const lacksCells = missing > 0 && this.extents.length > 0 && row.every(({ words }) => words.length > 0);
    const starts: number[] = [];
    let column = 0;
    for (const { box, columns } of row) {
      column = free(column);
      if (lacksCells) {
        let [best, nearest] = [column, Infinity];
        for (let at = column, skipped = 0; skipped <= missing && at < this.width; skipped++, at = free(at + 1)) {
          const distance = distanceOf(box, this.extents[at], this.extents[at + columns - 1]);
          if (distance < nearest) [best, nearest] = [at, distance];
        }
        for (; column < best; column = free(column + 1)) missing--;
      }
      starts.push(column);
      column += columns;
    }
    return starts;
  }
}

function widthOf(row: readonly PlacedCell[]): number {
  return row.reduce((sum, { columns }) => sum + columns, 0);
}

/** How far a cell is from being aligned with its columns. The name of several columns is in their middle. */
function distanceOf({ left, right }: Box, first: Box | undefined, last: Box | undefined): number {
  if (first === undefined || last === undefined) return Infinity;
  const [start, end] = [Math.min(first.left, last.left), Math.max(first.right, last.right)];
  const [before, after] = [left - start, right - end];
  const fromMiddle = Math.abs(before + after) / 2;
  return first === last ? Math.min(Math.abs(before), Math.abs(after), fromMiddle) : fromMiddle;
}
