/** Reads the cells of a worksheet (ISO/IEC 29500-1, 18.3), token by token: it can have millions of them. */
import { formatNumber, type NumberFormat } from '../spreadsheet/number-format.js';
import type { MergedRange, SheetGrid } from '../spreadsheet/sheet-grid.js';
import { unescapeXml } from '../xml/unescape-xml.js';
import { localName } from '../xml/xml-tree.js';
import { type XmlAttribute, type XmlToken, xmlTokens } from '../xml/xml-tokens.js';
import { type CellPosition, positionOf, rangeOf } from './cell-reference.js';
import { decodeEscapes } from './workbook-tables.js';

export interface WorkbookTables {
  strings: readonly string[];
  formats: readonly NumberFormat[];
  epoch: 1900 | 1904;
}

type OpenToken = Extract<XmlToken, { kind: 'open' }>;

/** Adds the cells to `grid`. `addressOf` returns the address of a relationship. */
export function readWorksheet(
  xml: string,
  grid: SheetGrid,
  tables: WorkbookTables,
  addressOf: (relationshipId: string) => string | null,
): void {
  const reader = new WorksheetReader(grid, tables);
  const links: { position: CellPosition; address: string }[] = [];
  const merged: MergedRange[] = [];
  for (const token of xmlTokens(xml)) {
    if (token.kind === 'text') reader.text(token.text);
    else if (token.kind === 'close') reader.close(localName(token.name));
    else {
      reader.open(token);
      const local = localName(token.name);
      if (local === 'mergeCell') {
        const range = rangeOf(valueOf(token.attributes, 'ref'));
        if (range !== null) merged.push(range);
      } else if (local === 'hyperlink') {
        const position = positionOf(valueOf(token.attributes, 'ref').split(':', 1)[0] ?? '');
        const address = addressOf(valueOf(token.attributes, 'id'));
        if (position !== null && address !== null) links.push({ position, address });
      }
    }
  }
  for (const { position, address } of links) grid.link(position.row, position.column, address);
  for (const range of merged) grid.merge(range);
}

class WorksheetReader {
  private row = -1;
  private column = -1;
  private type = '';
  private style = 0;
  private value = '';
  private formula = '';
  private isValue = false;
  private isFormula = false;
  private isReading = false;

  constructor(
    private readonly grid: SheetGrid,
    private readonly tables: WorkbookTables,
  ) {}

  open({ name, attributes, isEmpty }: OpenToken): void {
    switch (localName(name)) {
      case 'row':
        this.row = positionOf(`A${valueOf(attributes, 'r')}`)?.row ?? this.row + 1;
        this.column = -1;
        break;
      case 'c':
        this.beginCell(attributes);
        break;
      case 'v':
      case 't':
        this.isValue = !isEmpty;
        break;
      case 'f':
        this.isFormula = !isEmpty;
        break;
      case 'rPh':
        this.isReading = !isEmpty;
        break;
    }
  }

  close(local: string): void {
    if (local === 'v' || local === 't') this.isValue = false;
    else if (local === 'f') this.isFormula = false;
    else if (local === 'rPh') this.isReading = false;
    else if (local === 'c') {
      this.grid.set(this.row, this.column, this.cellText());
      this.value = '';
      this.formula = '';
    }
  }

  text(text: string): void {
    if (this.isValue && !this.isReading) this.value += unescapeXml(text);
    else if (this.isFormula) this.formula += unescapeXml(text);
  }

  private beginCell(attributes: readonly XmlAttribute[]): void {
    const position = positionOf(valueOf(attributes, 'r'));
    this.row = position?.row ?? this.row;
    this.column = position?.column ?? this.column + 1;
    this.type = valueOf(attributes, 't');
    this.style = Number(valueOf(attributes, 's') || 0);
    this.value = '';
    this.formula = '';
  }

  private cellText(): string {
    if (this.value === '') return this.withoutValue();
    switch (this.type) {
      case 's':
        return this.tables.strings[Number(this.value)] ?? '';
      case 'b':
        return this.value === '1' ? 'TRUE' : 'FALSE';
      case 'str':
      case 'inlineStr':
        return decodeEscapes(this.value);
      case 'e':
      case 'd':
        return this.value;
      default:
        return formatNumber(this.value, this.tables.formats[this.style] ?? 'number', this.tables.epoch);
    }
  }

  /** Programs that do not calculate write formulas without values. A formula whose value is an empty text has the type `str`. */
  private withoutValue(): string {
    return this.type === 'str' || this.formula === '' ? '' : `=${this.formula}`;
  }
}

function valueOf(attributes: readonly XmlAttribute[], local: string): string {
  const found = attributes.find(({ name }) => localName(name) === local);
  return found === undefined ? '' : unescapeXml(found.value);
}
