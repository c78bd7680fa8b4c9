/**
 * Tables of a DOM as GFM tables: spans are spelled out (a cell that covers three columns stands in each of them), the
 * first row is the header, whatever is inside a cell ends up on one line. Inner tables are done before outer ones, so
 * every cell is converted once, however deep the nesting.
 */
import { markdownTable, tableCell } from '../../text/escape-markdown.js';

/** Marks an element whose text is markdown already. */
export const finishedMarkdownAttribute = 'data-finished-markdown';
/** Spans are numbers a stranger wrote. */
const columnSpanMax = 200;
const rowSpanMax = 5000;
const tableCellsMax = 2_000_000;

type CellConverter = (cell: HTMLElement) => string;

export function renderTables(document: Document, convert: CellConverter): void {
  for (const table of Array.from(document.querySelectorAll('table')).toReversed()) {
    const replacement = isLayout(table) ? unwrapped(document, table) : rendered(document, table, convert);
    table.parentNode?.replaceChild(replacement, table);
  }
}

/** A table of one cell, or one that says so, arranges a page; it holds no data. */
function isLayout(table: HTMLTableElement): boolean {
  if (table.getAttribute('role') === 'presentation') return true;
  const rows = rowsOf(table);
  return rows.length <= 1 && (rows[0] === undefined || cellsOf(rows[0]).length <= 1);
}

function unwrapped(document: Document, table: HTMLTableElement): Element {
  const block = document.createElement('div');
  for (const row of rowsOf(table)) {
    for (const cell of cellsOf(row)) {
      const part = block.appendChild(document.createElement('div'));
      while (cell.firstChild !== null) part.appendChild(cell.firstChild);
    }
  }
  return block;
}

function rendered(document: Document, table: HTMLTableElement, convert: CellConverter): Element {
  const caption = Array.from(table.querySelectorAll('caption'))[0];
  const title = caption === undefined ? '' : convert(caption).replace(/\s+/g, ' ').trim();
  const grid = gridOf(table, convert);
  const nested = isInsideCell(table);
  const block = document.createElement('pre');
  block.setAttribute(finishedMarkdownAttribute, '');
  // Markdown cannot nest tables: an inner one becomes lines of its cells.
  const body = nested ? grid.map((row) => row.filter((cell) => cell !== '').join(' ')).join('\n') : markdownTable(grid);
  block.textContent = title === '' ? body : `${title}\n\n${body}`;
  return block;
}

/** Whether the table will end up inside another one; layout tables around it disappear. */
function isInsideCell(table: Element): boolean {
  for (let node = table.parentNode; node !== null; node = node.parentNode) {
    if (node.nodeName === 'TABLE' && !isLayout(node as HTMLTableElement)) return true;
  }
  return false;
}

function rowsOf(table: Element): Element[] {
  const rows: Element[] = [];
  for (const child of Array.from(table.children)) {
    if (child.nodeName === 'TR') rows.push(child);
    else if (/^(THEAD|TBODY|TFOOT)$/.test(child.nodeName))
      rows.push(...Array.from(child.children).filter((row) => row.nodeName === 'TR'));
  }
  return rows;
}

function cellsOf(row: Element): HTMLElement[] {
  return Array.from(row.children).filter((cell) => cell.nodeName === 'TD' || cell.nodeName === 'TH') as HTMLElement[];
}

function gridOf(table: Element, convert: CellConverter): string[][] {
  const grid: string[][] = [];
  const pending: { text: string; rows: number }[] = [];
  let total = 0;
  for (const row of rowsOf(table)) {
    const line: string[] = [];
    const cells = cellsOf(row);
    let onlySpanning = cells.length > 0;
    const fillPending = (): void => {
      for (let open = pending[line.length]; open !== undefined && open.rows > 0; open = pending[line.length]) {
        open.rows--;
        line.push(open.text);
      }
    };
    for (const cell of cells) {
      fillPending();
      const text = tableCell(convert(cell));
      const rowSpan = spanOf(cell, 'rowspan', rowSpanMax);
      if (rowSpan === 1) onlySpanning = false;
      for (let column = spanOf(cell, 'colspan', columnSpanMax); column > 0; column--) {
        pending[line.length] = { text, rows: rowSpan - 1 };
        line.push(text);
      }
    }
    fillPending();
    total += line.length;
    if (total > tableCellsMax) throw new RangeError('Invalid array length: table');
    // A row that only opens spans says nothing that the rows below do not repeat.
    if (!onlySpanning && line.some((cell) => cell !== '')) grid.push(line);
  }
  return grid;
}

function spanOf(cell: Element, name: 'colspan' | 'rowspan', spanMax: number): number {
  const stated = Number.parseInt(cell.getAttribute(name) ?? '1', 10);
  return Number.isFinite(stated) && stated > 1 ? Math.min(stated, spanMax) : 1;
}
