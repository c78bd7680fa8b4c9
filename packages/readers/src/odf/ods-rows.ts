/** Reads the rows of a sheet into its grid (OASIS OpenDocument 1.3, part 3, 9.1). */
import { element } from '../html/build-html.js';
import type { HtmlElement } from '../html/html-node.js';
import { formatNumber } from '../spreadsheet/number-format.js';
import { shownNumber } from '../spreadsheet/shown-number.js';
import type { MergedRange, SheetGrid } from '../spreadsheet/sheet-grid.js';
import { childrenNamed, descendants, elementsOf, textOf, type XmlElement } from '../xml/xml-tree.js';

/** The size of the largest sheet that LibreOffice writes. */
const rowsMax = 1_048_576;
const columnsMax = 16_384;
const shapeNames = /^(?:frame|custom-shape|g|rect|ellipse)$/;

interface RowCell {
  text: string;
  address: string | null;
  column: number;
  /** The column after the last repetition of the cell. */
  end: number;
  /** The numbers of columns and rows that the cell spans. */
  columns: number;
  rows: number;
}

export class OdsRows {
  /** Shapes that are anchored to cells. */
  readonly shapes: XmlElement[] = [];
  private readonly merged: MergedRange[] = [];
  private readonly commentItems: HtmlElement[] = [];
  private row = 0;

  constructor(private readonly grid: SheetGrid) {}

  add(row: XmlElement): void {
    const count = repeatsOf(row, 'table:number-rows-repeated', rowsMax);
    const cells = this.cellsOf(row);
    // Empty rows are only counted, because a sheet ends with a million of them.
    const last = cells.length === 0 ? 0 : Math.min(this.row + count, rowsMax);
    for (let at = this.row; at < last; at++) for (const cell of cells) this.put(cell, at);
    this.row += count;
  }

  /** Merges cells after all rows are known. */
  finish(): SheetGrid {
    for (const range of this.merged.splice(0)) this.grid.merge(range);
    return this.grid;
  }

  comments(): HtmlElement[] {
    const items = this.commentItems.splice(0);
    return items.length === 0 ? [] : [element('p', [element('strong', ['Comments'])]), element('ul', items)];
  }

  /** The cells with text. A repeated row is read once. Its shapes and comments are not repeated. */
  private cellsOf(row: XmlElement): RowCell[] {
    const cells: RowCell[] = [];
    let column = 0;
    for (const cell of elementsOf(row)) {
      if (!/^(?:covered-)?table-cell$/.test(cell.local)) continue;
      const count = repeatsOf(cell, 'table:number-columns-repeated', columnsMax);
      const text = cell.children.length === 0 ? '' : cellText(cell);
      if (text.trim() !== '') cells.push(newCell(cell, text, column, Math.min(column + count, columnsMax)));
      this.collectBeside(cell);
      column += count;
    }
    return cells;
  }

  private put({ text, address, column, end, columns, rows }: RowCell, row: number): void {
    for (let at = column; at < end; at++) {
      this.grid.set(row, at, text);
      if (address !== null) this.grid.link(row, at, address);
    }
    if (columns > 1 || rows > 1)
      this.merged.push({ top: row, left: column, bottom: row + rows - 1, right: column + columns - 1 });
  }

  private collectBeside(cell: XmlElement): void {
    for (const child of elementsOf(cell)) {
      if (shapeNames.test(child.local)) this.shapes.push(child);
      else if (child.local === 'annotation') this.addComment(child);
    }
  }

  private addComment(annotation: XmlElement): void {
    const text = childrenNamed(annotation, 'p').map(textOf).join(' ').replace(/\s+/g, ' ').trim();
    if (text !== '') this.commentItems.push(element('li', [text]));
  }
}

function newCell(cell: XmlElement, text: string, column: number, end: number): RowCell {
  const columns = repeatsOf(cell, 'table:number-columns-spanned', columnsMax);
  const rows = repeatsOf(cell, 'table:number-rows-spanned', rowsMax);
  return { text, address: addressOf(cell), column, end, columns, rows };
}

function cellText(cell: XmlElement): string {
  const type = cell.attributes.get('office:value-type');
  const value = cell.attributes.get('office:value');
  const date = cell.attributes.get('office:date-value');
  if (type === 'date' && date !== undefined) return date.replace(/T00:00(?::00)?(?:\.0+)?$/, '').replace('T', ' ');
  const shown = childrenNamed(cell, 'p').map(lineText).join('\n');
  if (value === undefined) return shown;
  if (type === 'percentage') return formatNumber(value, 'percent');
  return type === 'float' || type === 'currency' ? shownNumber(formatNumber(value, 'number'), shown) : shown;
}

function lineText(paragraph: XmlElement): string {
  let text = '';
  for (const child of paragraph.children) {
    if (typeof child === 'string') text += child;
    else if (child.local === 's' || child.local === 'tab') text += ' ';
    else if (child.local === 'line-break') text += '\n';
    else if (child.local !== 'annotation') text += lineText(child);
  }
  return text;
}

/** The address of the cell's first link. */
function addressOf(cell: XmlElement): string | null {
  for (const paragraph of childrenNamed(cell, 'p'))
    for (const link of descendants(paragraph, 'a')) return link.attributes.get('xlink:href') ?? null;
  return null;
}

function repeatsOf(repeated: XmlElement, attribute: string, max: number): number {
  const count = Number(repeated.attributes.get(attribute) ?? 1);
  return Number.isInteger(count) && count > 1 ? Math.min(count, max) : 1;
}
