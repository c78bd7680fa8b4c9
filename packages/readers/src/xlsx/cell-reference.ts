/** References to cells in A1 notation (ISO/IEC 29500-1, 18.18.7). Rows and columns count from 0 here. */
import type { MergedRange } from '../spreadsheet/sheet-grid.js';

export interface CellPosition {
  row: number;
  column: number;
}

/** The size of the largest sheet that Excel writes. */
const rowsMax = 1_048_576;
const columnsMax = 16_384;

/** Null for text that is no reference to a cell. */
export function positionOf(reference: string): CellPosition | null {
  const found = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(reference);
  if (found === null) return null;
  let column = 0;
  for (const letter of (found[1] ?? '').toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  const row = Number(found[2]);
  return row >= 1 && row <= rowsMax && column <= columnsMax ? { row: row - 1, column: column - 1 } : null;
}

export function rangeOf(reference: string): MergedRange | null {
  const [from = '', to = from] = reference.slice(0, 40).split(':');
  const start = positionOf(from);
  const end = positionOf(to);
  if (start === null || end === null) return null;
  return {
    top: Math.min(start.row, end.row),
    left: Math.min(start.column, end.column),
    bottom: Math.max(start.row, end.row),
    right: Math.max(start.column, end.column),
  };
}
