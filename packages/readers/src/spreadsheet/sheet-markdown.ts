/** Writes the regions of a sheet. A region becomes a table. Single cells and titles of tables become paragraphs. */
import { cleanText } from '@kiln/pdf/clean-text';
import { escapeCell, escapeInline, escapeLineStart } from '@kiln/pdf/markdown/escape-markdown';
import { linkTarget } from '@kiln/pdf/markdown/link-target';
import { markdownTable } from '@kiln/pdf/markdown/markdown-table';
import type { SheetCell, SheetGrid, SheetRow } from './sheet-grid.js';
import { regionsOf } from './sheet-regions.js';

/** A single column with at most this many rows is text. */
const textRowsMax = 2;
const cellCharacters = 3;

/** Blocks of markdown, one for each paragraph and table. */
export function gridMarkdown(grid: SheetGrid): string[] {
  return regionsOf(grid.rows()).flatMap((region) => regionMarkdown(region, grid));
}

function regionMarkdown(region: readonly SheetRow[], grid: SheetGrid): string[] {
  const titles = titleRows(region);
  const table = region.slice(titles);
  const paragraphs = region.slice(0, titles).map(({ cells }) => paragraph(cells[0]));
  return table.length === 0 ? paragraphs : [...paragraphs, tableOf(table, grid)];
}

/** The number of text rows at the top. They have one cell, and stand above rows with several. */
function titleRows(region: readonly SheetRow[]): number {
  const firstWide = region.findIndex(({ cells }) => !isSingle(cells));
  if (firstWide === -1) return region.length <= textRowsMax ? region.length : 0;
  return firstWide;
}

/** Whether all cells belong to one merged range. */
function isSingle(cells: readonly SheetCell[]): boolean {
  const [first] = cells;
  return cells.every((cell) => cell === first || (cell.origin ?? cell) === (first?.origin ?? first));
}

function paragraph(cell: SheetCell | undefined): string {
  if (cell === undefined) return '';
  const lines = cleanText(cell.text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const text = lines.map((line) => escapeLineStart(escapeInline(line))).join('\n');
  const target = cell.address === null ? null : linkTarget(cell.address);
  return target === null ? text : `[${lines.map(escapeInline).join(' ')}](${target})`;
}

function tableOf(rows: readonly SheetRow[], grid: SheetGrid): string {
  let left = Infinity;
  let right = -1;
  for (const { cells } of rows) {
    left = Math.min(left, cells[0]?.column ?? left);
    right = Math.max(right, cells.at(-1)?.column ?? right);
  }
  const width = right - left + 1;
  // The table also has cells that the sheet lacks.
  grid.budget.add(width * rows.length * cellCharacters);
  return markdownTable(
    rows.map(({ cells }) => {
      const line = Array.from({ length: width }, () => '');
      for (const cell of cells) line[cell.column - left] = cellMarkdown(cell);
      return line;
    }),
  );
}

function cellMarkdown({ text, address }: SheetCell): string {
  const escaped = escapeCell(cleanText(text));
  const target = address === null ? null : linkTarget(address);
  return target === null || escaped === '' ? escaped : `[${escaped}](${target})`;
}
