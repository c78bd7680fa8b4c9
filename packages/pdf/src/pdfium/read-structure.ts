import type { PageStructure, TaggedCell, TaggedTable } from '../page-model.js';
import type { RawPdfium, ResultBuffer } from './raw-pdfium.js';

const elementsMax = 20_000;
const levelsMax = 60;
const spanMax = 200;

/** The tags that give structure to the text of a page. Null if it has none. */
export function readStructure(pdfium: RawPdfium, page: number, buffer: ResultBuffer): PageStructure | null {
  const tree = pdfium.FPDF_StructTree_GetForPage(page);
  if (tree === 0) return null;
  try {
    const reader = new StructureReader(pdfium, buffer);
    const count = pdfium.FPDF_StructTree_CountChildren(tree);
    for (let index = 0; index < count && !reader.isFull; index++)
      reader.element(pdfium.FPDF_StructTree_GetChildAtIndex(tree, index), outside, 0);
    const { headings, items } = reader;
    return { headings, items, tables: reader.tables.filter(({ rows }) => rows.length > 0) };
  } finally {
    pdfium.FPDF_StructTree_Close(tree);
  }
}

interface Place {
  heading: number | null;
  table: TaggedTable | null;
  cell: TaggedCell | null;
  /** The item of a list whose text is read. Null in its label. */
  item: { hasText: boolean } | null;
}

const outside: Place = { heading: null, table: null, cell: null, item: null };

class StructureReader {
  readonly headings = new Map<number, number>();
  readonly tables: TaggedTable[] = [];
  readonly items = new Set<number>();
  private elements = 0;

  constructor(
    private readonly pdfium: RawPdfium,
    private readonly buffer: ResultBuffer,
  ) {}

  get isFull(): boolean {
    return this.elements >= elementsMax;
  }

  element(element: number, outer: Place, level: number): void {
    if (element === 0 || level > levelsMax || this.isFull) return;
    this.elements++;
    const { pdfium, buffer } = this;
    const bytes = pdfium.FPDF_StructElement_GetType(element, buffer.pointer, buffer.bytes);
    const place = this.enter(buffer.text(bytes, 'utf16le'), element, outer);
    const count = pdfium.FPDF_StructElement_CountChildren(element);
    for (let index = 0; index < count && !this.isFull; index++) {
      const contentId = pdfium.FPDF_StructElement_GetChildMarkedContentID(element, index);
      if (contentId >= 0) {
        this.elements++;
        place.cell?.contentIds.push(contentId);
        if (place.heading !== null) this.headings.set(contentId, place.heading);
        if (place.item?.hasText === false) {
          place.item.hasText = true;
          this.items.add(contentId);
        }
      } else this.element(pdfium.FPDF_StructElement_GetChildAtIndex(element, index), place, level + 1);
    }
  }

  /** Standard structure types (ISO 32000-1, 14.8.4). A table in a cell is part of that cell. */
  private enter(type: string, element: number, outer: Place): Place {
    const heading = /^H([1-6])?$/.exec(type);
    if (heading !== null && outer.cell === null) return { ...outer, heading: Number(heading[1] ?? 1) };
    if (type === 'LI') return { ...outer, item: { hasText: false } };
    if (type === 'Lbl') return { ...outer, item: null };
    if (type === 'Title' && outer.cell === null) return { ...outer, heading: 1 };
    if (type === 'Table' && outer.cell === null) {
      const table: TaggedTable = { rows: [] };
      this.tables.push(table);
      return { ...outside, table };
    }
    if (type === 'TR' && outer.cell === null) outer.table?.rows.push([]);
    const row = outer.cell === null && (type === 'TH' || type === 'TD') ? outer.table?.rows.at(-1) : undefined;
    if (row === undefined) return outer;
    const cell: TaggedCell = {
      contentIds: [],
      columns: this.span(element, 'ColSpan'),
      rows: this.span(element, 'RowSpan'),
    };
    row.push(cell);
    return { ...outer, cell };
  }

  private span(element: number, name: string): number {
    const { pdfium, buffer } = this;
    const count = Math.min(pdfium.FPDF_StructElement_GetAttributeCount(element), 10);
    for (let index = 0; index < count; index++) {
      const attribute = pdfium.FPDF_StructElement_GetAttributeAtIndex(element, index);
      const value = attribute === 0 ? 0 : pdfium.FPDF_StructElement_Attr_GetValue(attribute, buffer.ascii(name));
      if (value !== 0 && pdfium.FPDF_StructElement_Attr_GetNumberValue(value, buffer.pointer) !== 0)
        return Math.min(Math.max(1, Math.round(buffer.float(0))), spanMax);
    }
    return 1;
  }
}
