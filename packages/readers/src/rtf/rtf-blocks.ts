/** Collects the paragraphs and tables of an RTF file as the elements of HTML. */
import { append, element, elementWith, type HtmlContent, onOneLine } from '../html/build-html.js';
import { attribute, type HtmlElement } from '../html/html-node.js';
import { NestedLists } from '../html/nested-lists.js';
import { bulletFormat, noNumberFormat, type RtfCell, type RtfState, type RtfTables } from './rtf-document.js';

const headingLevelMax = 6;

export class RtfBlocks {
  readonly blocks: HtmlElement[] = [];
  private readonly lists = new NestedLists(this.blocks);
  private inline: HtmlContent[] = [];
  private hasText = false;
  private listText = '';
  private link: { anchor: HtmlElement; content: HtmlContent[] } | null = null;
  /** The rows of the open table, with the content of its open row and cell. */
  private rows: HtmlElement[] = [];
  private cells: HtmlElement[] = [];
  private cellBlocks: HtmlElement[] = [];
  /** For each column of the row before, the cell that covers the column. */
  private above: HtmlElement[] = [];
  private definitions: RtfCell[] = [];
  private definition: RtfCell = { isMergedAcross: false, isMergedDown: false };
  private readonly notes: HtmlElement[] = [];

  constructor(private readonly tables: RtfTables) {}

  text(text: string, { bold, italic, struck, raised, hidden }: RtfState): void {
    if (hidden || text === '') return;
    if (text.trim() !== '') this.hasText = true;
    let content: HtmlContent = text;
    if (raised) content = element('sup', [content]);
    if (struck) content = element('s', [content]);
    if (italic) content = element('em', [content]);
    if (bold) content = element('strong', [content]);
    this.add(content);
  }

  add(content: HtmlContent): void {
    (this.link?.content ?? this.inline).push(content);
  }

  /** The number or bullet for programs that know no lists. */
  addListText(text: string): void {
    this.listText += text;
  }

  openLink(address: string): void {
    this.closeLink();
    this.link = { anchor: elementWith('a', { href: address }), content: [] };
  }

  closeLink(): void {
    const { link } = this;
    if (link === null) return;
    this.link = null;
    append(link.anchor, link.content);
    this.inline.push(link.anchor);
  }

  endParagraph(state: RtfState): void {
    this.closeLink();
    const { inline, hasText, listText } = this;
    this.inline = [];
    this.hasText = false;
    this.listText = '';
    if (!hasText) return;
    if (state.inTable) {
      this.cellBlocks.push(element('p', inline));
      return;
    }
    this.endTable();
    this.addParagraph(inline, listText, state);
  }

  beginRow(): void {
    this.definitions = [];
  }

  mergeAcross(): void {
    this.definition.isMergedAcross = true;
  }

  mergeDown(): void {
    this.definition.isMergedDown = true;
  }

  defineCell(): void {
    this.definitions.push(this.definition);
    this.definition = { isMergedAcross: false, isMergedDown: false };
  }

  endCell(state: RtfState): void {
    this.endParagraph({ ...state, inTable: true });
    this.cells.push(element('td', this.cellBlocks));
    this.cellBlocks = [];
  }

  endRow(): void {
    if (this.cells.length === 0) return;
    this.rows.push(element('tr', this.withMerged(this.cells)));
    this.cells = [];
  }

  /** Returns the mark that refers to the note in the text. */
  addNote(blocks: readonly HtmlElement[]): void {
    this.notes.push(element('li', [`[${this.notes.length + 1}] `, ...onOneLine(blocks)]));
    this.add(` [${this.notes.length}]`);
    this.hasText = true;
  }

  finish(state: RtfState): HtmlElement[] {
    this.endParagraph({ ...state, inTable: this.cells.length > 0 && state.inTable });
    if (this.cellBlocks.length > 0) this.endCell(state);
    this.endRow();
    this.endTable();
    if (this.notes.length > 0)
      this.blocks.push(element('p', [element('strong', ['Notes'])]), element('ul', this.notes));
    return this.blocks;
  }

  private addParagraph(inline: readonly HtmlContent[], listText: string, state: RtfState): void {
    const heading = this.headingLevel(state);
    const kind = this.listKind(state, listText);
    const label = kind === 'ol' ? listText.trim() : '';
    const labelled = label === '' ? inline : [`${label} `, ...inline];
    if (heading !== null) return this.lists.block(element(`h${heading}`, labelled));
    if (kind === null) return this.lists.block(element('p', inline));
    const level = state.listLevel;
    const start = /^(\d{1,9})[.)]?$/.exec(label)?.[1] ?? null;
    // A label that markdown cannot write (`1.2`, `(a)`) becomes text.
    if (label !== '' && start === null) this.lists.item({ kind: 'ul', level, start, content: labelled });
    else this.lists.item({ kind, level, start, content: inline });
  }

  private headingLevel({ outlineLevel, style }: RtfState): number | null {
    const name = style === null ? '' : (this.tables.styles.get(style) ?? '');
    if (name === 'title') return 1;
    const named = /^heading (\d)$/.exec(name)?.[1];
    if (named !== undefined) return Math.min(Number(named), headingLevelMax);
    return outlineLevel !== null && outlineLevel < headingLevelMax ? outlineLevel + 1 : null;
  }

  /** The label comes from the list of the paragraph, or else from the text that replaces its number. */
  private listKind({ list, listLevel }: RtfState, listText: string): 'ul' | 'ol' | null {
    const levels = list === null ? undefined : this.tables.lists.get(this.tables.overrides.get(list) ?? 0);
    const format = levels?.[listLevel];
    if (format !== undefined && format !== noNumberFormat) return format === bulletFormat ? 'ul' : 'ol';
    if (listText.trim() === '') return null;
    return /[\p{L}\p{N}]/u.test(listText.replaceAll('\u00b7', '')) && /\d|^\s*\(?[a-z]{1,4}[.)]/i.test(listText)
      ? 'ol'
      : 'ul';
  }

  /** The cells of a row. A cell that is covered is left out, and the covering cell spans its place. */
  private withMerged(cells: readonly HtmlElement[]): HtmlElement[] {
    const sources: HtmlElement[] = [];
    const own: HtmlElement[] = [];
    for (const [index, cell] of cells.entries()) {
      const { isMergedAcross = false, isMergedDown = false } = this.definitions[index] ?? {};
      const source = isMergedAcross ? sources.at(-1) : isMergedDown ? this.above[index] : undefined;
      if (source === undefined || cell.first !== null) {
        sources.push(cell);
        own.push(cell);
      } else {
        sources.push(source);
        extendSpan(source, isMergedAcross ? 'colspan' : 'rowspan');
      }
    }
    this.above = sources;
    return own;
  }

  private endTable(): void {
    this.endRow();
    if (this.rows.length === 0) return;
    this.lists.block(element('table', this.rows));
    this.rows = [];
    this.above = [];
  }
}

function extendSpan(cell: HtmlElement, name: 'colspan' | 'rowspan'): void {
  const span = Number(attribute(cell, name) ?? 1);
  cell.attributes = new Map(cell.attributes).set(name, String(span + 1));
}
