/**
 * Writes tables as GFM tables. A cell that spans columns or rows is repeated in each of them. The first row is the header.
 * The content of a cell is written on one line. Markdown cannot nest tables, so an inner table becomes the text of its
 * cells, one line per row.
 */
import { markdownTable, paddedCharacters } from '@kiln/pdf/markdown/markdown-table';
import { isInvisible } from './html-document.js';
import { attribute, elementsOf, type HtmlElement } from './html-node.js';
import { MarkdownWriter } from './markdown-writer.js';
import type { RenderContext } from './render-context.js';

/** Documents are untrusted, so the number of columns that a cell can span is limited. */
const columnSpanMax = 200;
const rowSpanMax = 5000;
/** The characters that surround the text of a cell. */
const cellCharacters = 3;

export function renderTable(table: HtmlElement, context: RenderContext): void {
  const { writer, isInCell } = context;
  const rows = rowsOf(table);
  writer.endBlock();
  for (const caption of elementsOf(table)) if (caption.name === 'caption') context.renderChildren(caption, context);
  writer.endBlock();
  if (isLayout(table, rows)) renderCells(rows, context);
  else if (isInCell) renderLines(rows, context);
  else {
    const markdown = markdownTable(gridOf(rows, context));
    if (markdown !== '') writer.finished(markdown);
  }
  writer.endBlock();
}

/** Whether the table only arranges the page: it has one cell, or is marked as presentation. */
function isLayout(table: HtmlElement, rows: readonly HtmlElement[]): boolean {
  if (attribute(table, 'role') === 'presentation') return true;
  const [first] = rows;
  return rows.length <= 1 && (first === undefined || cellsOf(first).length <= 1);
}

function renderCells(rows: readonly HtmlElement[], context: RenderContext): void {
  for (const row of rows) {
    for (const cell of cellsOf(row)) {
      context.renderChildren(cell, context);
      context.writer.endBlock();
    }
  }
}

function renderLines(rows: readonly HtmlElement[], context: RenderContext): void {
  for (const row of rows) {
    for (const cell of cellsOf(row)) {
      context.renderChildren(cell, context);
      context.writer.text(' ');
    }
    context.writer.endLine();
  }
}

function rowsOf(table: HtmlElement): HtmlElement[] {
  const rows: HtmlElement[] = [];
  for (const child of elementsOf(table)) {
    if (isInvisible(child)) continue;
    if (child.name === 'tr') rows.push(child);
    else if (/^(?:thead|tbody|tfoot)$/.test(child.name))
      for (const row of elementsOf(child)) if (row.name === 'tr' && !isInvisible(row)) rows.push(row);
  }
  return rows;
}

function cellsOf(row: HtmlElement): HtmlElement[] {
  const cells: HtmlElement[] = [];
  for (const cell of elementsOf(row))
    if ((cell.name === 'td' || cell.name === 'th') && !isInvisible(cell)) cells.push(cell);
  return cells;
}

function cellText(cell: HtmlElement, context: RenderContext): string {
  const writer = new MarkdownWriter({ ...context.writer.options, isCell: true });
  context.renderChildren(cell, { ...context, writer, indents: 0, isInList: false, isInCell: true });
  return writer.finish();
}

function gridOf(rows: readonly HtmlElement[], context: RenderContext): string[][] {
  const { charactersMax, tableCharacters, tooLong } = context.writer.options;
  const grid: string[][] = [];
  const spanning: { text: string; untilRow: number }[] = [];
  const put = (line: string[], text: string): void => {
    // A cell is repeated for each column and row that it spans, so a few bytes can ask for gigabytes.
    tableCharacters.used += text.length + cellCharacters;
    if (tableCharacters.used > charactersMax) throw tooLong();
    line.push(text);
  };
  for (const [rowIndex, row] of rows.entries()) {
    const line: string[] = [];
    const fillSpanning = (): void => {
      for (
        let open = spanning[line.length];
        open !== undefined && open.untilRow > rowIndex;
        open = spanning[line.length]
      )
        put(line, open.text);
    };
    const cells = cellsOf(row);
    let opensOnlySpans = cells.length > 0;
    for (const cell of cells) {
      fillSpanning();
      const text = cellText(cell, context);
      const rowSpan = spanOf(cell, 'rowspan', rowSpanMax);
      if (rowSpan === 1) opensOnlySpans = false;
      for (let column = spanOf(cell, 'colspan', columnSpanMax); column > 0; column--) {
        spanning[line.length] = { text, untilRow: rowIndex + rowSpan };
        put(line, text);
      }
    }
    fillSpanning();
    // The rows below repeat the cells of a row in which all cells span rows.
    if (!opensOnlySpans && line.some((cell) => cell !== '')) grid.push(line);
  }
  if (paddedCharacters(grid) > charactersMax) throw tooLong();
  return grid;
}

function spanOf(cell: HtmlElement, name: 'colspan' | 'rowspan', spanMax: number): number {
  const stated = Number.parseInt(attribute(cell, name) ?? '1', 10);
  return Number.isFinite(stated) && stated > 1 ? Math.min(stated, spanMax) : 1;
}
