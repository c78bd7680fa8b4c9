import { readOfficeProperties } from '../archive/office-properties.js';
import { Relationships } from '../archive/relationships.js';
import { ZipArchive } from '../archive/zip-archive.js';
import type { Engine, EngineInput, EngineOutput } from '../engine.js';
import { corruptFile } from '../engine-failure.js';
import { documentOf } from '../html/html-document.js';
import type { HtmlElement } from '../html/html-node.js';
import { toMarkdown } from '../html/html-to-markdown.js';
import { SheetBudget, SheetGrid } from '../spreadsheet/sheet-grid.js';
import { gridMarkdown } from '../spreadsheet/sheet-markdown.js';
import { WorkbookText } from '../spreadsheet/workbook-text.js';
import { attributeOf, childOf, childrenNamed, parseXml, prefixedAttribute, type XmlElement } from '../xml/xml-tree.js';
import { commentList, namesOf, noteItems, threadItems } from './sheet-comments.js';
import { drawingContent } from './sheet-drawings.js';
import { readNumberFormats, readSharedStrings } from './workbook-tables.js';
import { readWorksheet, type WorkbookTables } from './worksheet.js';

/** Each sheet becomes a page. Hidden sheets are included and marked. A formula has the value that the file holds for it, or else its text. */
export const extractXlsx: Engine = (input, signal) =>
  ZipArchive.read(input, 'xlsx', signal, (archive) => new Workbook(archive, input).read());

class Workbook {
  private readonly used = new Set<string>();
  private readonly budget: SheetBudget;

  /** The names of people, by their ids. */
  private readonly names = new Map<string, string>();

  constructor(
    private readonly archive: ZipArchive,
    private readonly input: EngineInput,
  ) {
    this.budget = new SheetBudget(input);
  }

  async read(): Promise<EngineOutput> {
    const main = await this.mainPart();
    const workbook = await this.parseOnce(main);
    const relationships = await this.relationshipsOf(main);
    const tables = await this.readTables(relationships, workbook);
    for (const part of relationships.partsOf('person'))
      for (const [id, name] of namesOf(await this.parseOnce(part))) this.names.set(id, name);
    const text = new WorkbookText();
    for (const sheet of childrenNamed(childOf(workbook, 'sheets'), 'sheet')) {
      const part = relationships.part(prefixedAttribute(sheet, 'id'));
      const isHidden = /hidden/i.test(attributeOf(sheet, 'state') ?? '');
      const blocks = part === null ? [] : await this.sheetBlocks(part, tables);
      text.add(attributeOf(sheet, 'name') ?? '', isHidden, blocks);
    }
    const properties = await readOfficeProperties(this.archive);
    return text.output(properties);
  }

  private async mainPart(): Promise<string> {
    const [part] = (await this.relationshipsOf('')).partsOf('officeDocument');
    if (part === undefined || !this.archive.has(part)) throw corruptFile('xlsx', this.input.filename);
    return part;
  }

  private async readTables(relationships: Relationships, workbook: XmlElement | null): Promise<WorkbookTables> {
    const [strings = ''] = relationships.partsOf('sharedStrings');
    const [styles = ''] = relationships.partsOf('styles');
    const isFrom1904 = /^(?:1|true)$/.test(attributeOf(childOf(workbook, 'workbookPr'), 'date1904') ?? '');
    return {
      strings: readSharedStrings(await this.archive.text(strings)),
      formats: readNumberFormats(await this.parseOnce(styles)),
      epoch: isFrom1904 ? 1904 : 1900,
    };
  }

  private async sheetBlocks(part: string, tables: WorkbookTables): Promise<string[]> {
    if (this.used.has(part)) return [];
    this.used.add(part);
    const relationships = await this.relationshipsOf(part);
    const xml = await this.archive.text(part);
    const grid = new SheetGrid(this.budget);
    if (xml !== null) readWorksheet(xml, grid, tables, (id) => relationships.address(id));
    return [...gridMarkdown(grid), ...this.markdownOf(await this.besideCells(relationships))];
  }

  private async besideCells(relationships: Relationships): Promise<HtmlElement[]> {
    const blocks: HtmlElement[] = [];
    for (const name of relationships.partsOf('drawing')) {
      const drawing = await this.parseOnce(name);
      if (drawing === null) continue;
      const own = await this.relationshipsOf(name);
      blocks.push(...(await drawingContent(drawing, own, (chart) => this.parseOnce(chart))));
    }
    const items: HtmlElement[] = [];
    for (const name of relationships.partsOf('comments')) items.push(...noteItems(await this.parseOnce(name)));
    for (const name of relationships.partsOf('threadedComment'))
      items.push(...threadItems(await this.parseOnce(name), this.names));
    blocks.push(...commentList(items));
    return blocks;
  }

  private markdownOf(blocks: readonly HtmlElement[]): string[] {
    if (blocks.length === 0) return [];
    const { filename, limits } = this.input;
    const markdown = toMarkdown(documentOf(blocks, filename), filename, limits.outputBytesMax).trimEnd();
    this.budget.add(markdown.length);
    return [markdown];
  }

  /** Null for a missing part, and for a part that was read before: each part belongs to one place. */
  private async parseOnce(part: string | null): Promise<XmlElement | null> {
    if (part === null || this.used.has(part)) return null;
    this.used.add(part);
    const xml = await this.archive.text(part);
    return xml === null ? null : parseXml(xml, this.input.filename);
  }

  private relationshipsOf(part: string): Promise<Relationships> {
    return Relationships.of(this.archive, part, this.input.filename);
  }
}
