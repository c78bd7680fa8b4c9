/** The parts of a Word document. Each part is checked and read once. mammoth receives the parts that it needs. */
import type mammoth from 'mammoth';
import {
  applicationPropertiesPart,
  type CoreProperties,
  corePropertiesPart,
  readCoreProperties,
  statedPageCount,
} from '../archive/core-properties.js';
import { Relationships, relationshipsPart } from '../archive/relationships.js';
import { partTooLarge, type ZipArchive } from '../archive/zip-archive.js';
import { chartContent } from '../drawing/chart.js';
import { diagramContent } from '../drawing/diagram.js';
import type { EngineInput } from '../engine.js';
import { corruptFile } from '../engine-failure.js';
import type { HtmlElement } from '../html/html-node.js';
import { MalformedXmlError, xmlTokens } from '../xml/xml-tokens.js';
import { localName, parseXml, type XmlElement } from '../xml/xml-tree.js';
import { asDocument, type FirstPage, firstPageOf } from './first-page.js';
import { ListDefinitions } from './list-definitions.js';
import { ParagraphStyles } from './paragraph-styles.js';
import { assertPartBounds, PartBoundError } from './part-bounds.js';
import { PlacedFormulas } from './place-formulas.js';
import { type PartContext, rewritePart } from './rewrite-part.js';
import { namesOfStyles, relationshipToMain } from './word-markup.js';

const contentTypesPart = '[Content_Types].xml';
const readAsText = /\.(?:xml|rels)$/i;
const mainPart = 'word/document.xml';
/** The parts that mammoth reads, by the name of their root element. */
const pageRoots = new Set(['hdr', 'ftr']);
const textRoots = new Set(['document', 'footnotes', 'endnotes', 'comments', ...pageRoots]);
const otherRoots = new Set(['styles', 'numbering', 'Relationships', 'Types']);
/** mammoth looks here for the notes of any part. Headers and footers have none. */
const notesParts = ['word/footnotes.xml', 'word/endnotes.xml', 'word/comments.xml'];
const enclosedMax = 50;
/** The parts of charts and diagrams. */
const drawingRoots = new Set(['chartSpace', 'dataModel']);

type MammothInput = Parameters<typeof mammoth.convertToHtml>[0];

export class DocxParts {
  private constructor(
    private readonly xml: ReadonlyMap<string, string>,
    /** The header and the footer that are part of the text. */
    readonly firstPage: FirstPage,
    readonly properties: CoreProperties,
    readonly formulas: PlacedFormulas,
    /** The parts that stand in place of an `altChunk`, in the order of their numbers. */
    readonly enclosed: readonly string[],
  ) {}

  /** @throws ExtractionError file_too_large or corrupt_file */
  static async read(archive: ZipArchive, input: EngineInput): Promise<DocxParts> {
    const kept = new Map<string, string>();
    for (const name of archive.names.filter((part) => readAsText.test(part))) {
      const xml = await archive.text(name);
      if (xml === null) continue;
      assertReadable(input, xml);
      if (isKept(name, rootOf(xml))) kept.set(name, xml);
    }
    if (!archive.has(contentTypesPart)) throw corruptFile('docx', input.filename);
    const application = kept.get(applicationPropertiesPart) ?? null;
    const properties = withPageCount(
      readCoreProperties(kept.get(corePropertiesPart) ?? null, application),
      application,
    );
    const formulas = new PlacedFormulas();
    const enclosed: string[] = [];
    const firstPage = takeFirstPage(kept, input.filename, statedPageCount(application) === 1);
    const xml = rewritten(kept, input.filename, { formulas, enclosed });
    return new DocxParts(xml, firstPage, properties, formulas, enclosed);
  }

  /** mammoth accepts an open zip, although its types do not say so. It reads `part` in place of the document. */
  forMammoth(part: string | null = null): MammothInput {
    const xml = new Map(this.xml);
    if (part !== null) {
      xml.set(relationshipsPart(''), relationshipToMain(part));
      for (const name of notesParts) xml.delete(name);
    }
    const file = {
      exists: (name: string): boolean => xml.has(name),
      read: (name: string): Promise<string> => Promise.resolve(xml.get(name) ?? ''),
    };
    return { file } as unknown as MammothInput;
  }
}

/** Leaves only those headers and footers that are part of the text, in the form of documents. */
function takeFirstPage(parts: Map<string, string>, filename: string, isOnlyPage: boolean): FirstPage {
  const main = mainPartOf(parts, filename);
  const found = firstPageOf(parts.get(main) ?? '', relationshipsIn(parts, main, filename), isOnlyPage);
  const taken = (name: string | null): string | null =>
    name !== null && pageRoots.has(rootOf(parts.get(name) ?? '')) ? name : null;
  const firstPage = { header: taken(found.header), footer: taken(found.footer) };
  for (const [name, xml] of parts) {
    if (!pageRoots.has(rootOf(xml))) continue;
    if (name === firstPage.header || name === firstPage.footer) parts.set(name, asDocument(xml));
    else parts.delete(name);
  }
  return firstPage;
}

function isKept(name: string, root: string): boolean {
  return (
    [textRoots, otherRoots, drawingRoots].some((roots) => roots.has(root)) ||
    name === corePropertiesPart ||
    name === applicationPropertiesPart
  );
}

function rootOf(xml: string): string {
  for (const token of xmlTokens(xml)) if (token.kind === 'open') return localName(token.name);
  return '';
}

function rewritten(
  parts: ReadonlyMap<string, string>,
  filename: string,
  { formulas, enclosed }: { formulas: PlacedFormulas; enclosed: string[] },
): ReadonlyMap<string, string> {
  const { stylesPart, ...definitions } = definitionsIn(parts, filename);
  const drawings = new Set([...parts].filter(([, xml]) => drawingRoots.has(rootOf(xml))).map(([name]) => name));
  const found = new Map(parts).set(...stylesPart);
  for (const [name, xml] of parts) {
    const root = rootOf(xml);
    if (textRoots.has(root)) {
      const relationships = relationshipsIn(parts, name, filename);
      const drawing = (id: string): HtmlElement[] => {
        const part = relationships.part(id) ?? '';
        // A document could refer to one drawing a million times.
        return drawings.delete(part) ? drawingContent(parseXml(parts.get(part) ?? '', filename)) : [];
      };
      found.set(
        name,
        rewritePart(xml, {
          ...definitions,
          filename,
          formulas,
          drawing,
          hasRelationship: (id) => relationships.has(id),
          enclosed: (id) => {
            const file = relationships.part(id);
            // A document could refer to one file a million times.
            return file === null || enclosed.includes(file) || enclosed.length >= enclosedMax
              ? null
              : enclosed.push(file) - 1;
          },
        }),
      );
    } else if (root === 'numbering') found.delete(name);
  }
  return found;
}

function drawingContent(part: XmlElement): HtmlElement[] {
  return part.local === 'dataModel' ? diagramContent(part) : chartContent(part);
}

function relationshipsIn(parts: ReadonlyMap<string, string>, part: string, filename: string): Relationships {
  return Relationships.in(parts.get(relationshipsPart(part)) ?? null, part, filename);
}

function mainPartOf(parts: ReadonlyMap<string, string>, filename: string): string {
  const [stated] = relationshipsIn(parts, '', filename).partsOf('officeDocument');
  return stated !== undefined && parts.has(stated) ? stated : mainPart;
}

interface Definitions extends Pick<PartContext, 'styles' | 'lists'> {
  /** The part with the styles, in the form that mammoth gets. */
  stylesPart: readonly [name: string, xml: string];
}

/** The relationships of the main part. If none of them names a part, mammoth reads the part with the usual name. */
function definitionsIn(parts: ReadonlyMap<string, string>, filename: string): Definitions {
  const main = relationshipsIn(parts, mainPartOf(parts, filename), filename);
  const nameOf = (type: string): string => main.partsOf(type).find((name) => parts.has(name)) ?? `word/${type}.xml`;
  const rootOfPart = (name: string): XmlElement | null => {
    const xml = parts.get(name);
    return xml === undefined ? null : parseXml(xml, filename);
  };
  const stylesName = nameOf('styles');
  const stylesRoot = rootOfPart(stylesName);
  const styles = new ParagraphStyles(stylesRoot);
  const lists = new ListDefinitions(rootOfPart(nameOf('numbering')), (style) => styles.numberingOf(style));
  return { styles, lists, stylesPart: [stylesName, namesOfStyles(stylesRoot)] };
}

function withPageCount(properties: CoreProperties, application: string | null): CoreProperties {
  const pages = statedPageCount(application);
  return pages === null ? properties : { ...properties, details: { ...properties.details, stated_page_count: pages } };
}

/** @throws ExtractionError file_too_large or corrupt_file */
function assertReadable(input: EngineInput, xml: string): void {
  try {
    assertPartBounds(xml);
  } catch (error) {
    if (error instanceof PartBoundError) throw partTooLarge(input, error.message);
    throw error instanceof MalformedXmlError ? corruptFile('docx', input.filename, error) : error;
  }
}
