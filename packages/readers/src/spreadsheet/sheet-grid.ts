/** The non-empty cells of a sheet. Sheets can be large and sparse, so empty cells take no memory. */
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { formatBytes } from '@kiln/pdf/format-bytes';
import type { EngineInput } from '../engine.js';

export interface SheetCell {
  /** From 0 */
  column: number;
  text: string;
  /** The address of the link, or null. */
  address: string | null;
  /** The cell that the text belongs to. All cells of a merged range share it. */
  origin: SheetCell | null;
}

export interface SheetRow {
  /** From 0 */
  index: number;
  /** By ascending column. */
  cells: SheetCell[];
}

export interface MergedRange {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** The marks around the text of a cell in a table. */
const cellCharacters = 3;

/** Cells are kept in memory until their sheet is written. */
const cellsMax = 3_000_000;

/** Counts the cells and characters of all sheets of a file against the limits, before they are written. */
export class SheetBudget {
  private used = 0;
  private cells = 0;

  constructor(private readonly input: EngineInput) {}

  /** @throws ExtractionError file_too_large */
  add(characters: number): void {
    this.used += characters;
    if (this.used > this.input.limits.outputBytesMax)
      throw tooLarge(this.input, `becomes more than ${formatBytes(this.input.limits.outputBytesMax)} of markdown`);
  }

  addCell(text: string): void {
    this.cells++;
    if (this.cells > cellsMax) throw tooLarge(this.input, `has more than ${cellsMax} cells`);
    this.add(text.length + cellCharacters);
  }
}

/** Throws an error that names the exceeded limit. */
function tooLarge({ filename }: EngineInput, what: string): ExtractionError {
  return new ExtractionError(
    'file_too_large',
    `"${filename}" ${what}. Split it into smaller files, or remove its empty columns and merged cells.`,
  );
}

export class SheetGrid {
  private readonly byRow = new Map<number, Map<number, SheetCell>>();
  private lastColumn = -1;

  constructor(readonly budget: SheetBudget) {}

  set(row: number, column: number, text: string): void {
    if (text.trim() !== '') this.put(row, { column, text, address: null, origin: null });
  }

  link(row: number, column: number, address: string): void {
    const cell = this.byRow.get(row)?.get(column);
    if (cell !== undefined) cell.address = address;
  }

  /** Repeats the text of a merged cell in all cells that it covers, as far as the sheet has rows and columns. */
  merge({ top, left, bottom, right }: MergedRange): void {
    const origin = this.byRow.get(top)?.get(left);
    if (origin === undefined) return;
    const lastRow = Math.min(bottom, this.lastRow);
    const lastColumn = Math.min(right, this.lastColumn);
    for (let row = top; row <= lastRow; row++) {
      for (let column = left; column <= lastColumn; column++) {
        this.budget.add(cellCharacters);
        if (this.byRow.get(row)?.has(column) !== true) this.put(row, { ...origin, column, origin });
      }
    }
  }

  rows(): SheetRow[] {
    return [...this.byRow]
      .toSorted(([left], [right]) => left - right)
      .map(([index, cells]) => ({
        index,
        cells: [...cells.values()].toSorted((left, right) => left.column - right.column),
      }));
  }

  private lastRow = -1;

  private put(row: number, cell: SheetCell): void {
    this.budget.addCell(cell.text);
    const cells = this.byRow.get(row) ?? new Map<number, SheetCell>();
    this.byRow.set(row, cells.set(cell.column, cell));
    this.lastRow = Math.max(this.lastRow, row);
    this.lastColumn = Math.max(this.lastColumn, cell.column);
  }
}
