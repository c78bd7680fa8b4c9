/**
 * The header and the footer that only the first page of a Word document has, such as a letterhead. Those that each page repeats are left
 * out, and so are the numbers of pages (ISO/IEC 29500-1, 17.10).
 */
import type { Relationships } from '../archive/relationships.js';
import { type XmlAttribute, xmlTokens } from '../xml/xml-tokens.js';
import { localName } from '../xml/xml-tree.js';
import { XmlEdits } from './xml-edits.js';

const sectionStart = /<(?:[\w.-]+:)?sectPr[\s>]/;
const pageNumber = /\b(?:PAGE|NUMPAGES|SECTIONPAGES)\b/;
/** `Page 1 of 2` has two words. */
const pageNumberWordsMax = 2;

/** Names of parts. */
export interface FirstPage {
  header: string | null;
  footer: string | null;
}

/** `document` is the main part. The properties of its first section name the headers and footers. */
export function firstPageOf(document: string, relationships: Relationships, isOnlyPage: boolean): FirstPage {
  const start = document.search(sectionStart);
  const ids = new Map<string, string>();
  let isDifferent = false;
  for (const token of start === -1 ? [] : xmlTokens(document.slice(start))) {
    if (token.kind === 'text') continue;
    const local = localName(token.name);
    if (local === 'sectPrChange' || (local === 'sectPr' && token.kind === 'close')) break;
    if (token.kind === 'close') continue;
    if (local === 'titlePg') isDifferent = !/^(?:0|false|off)$/.test(valueOf(token.attributes, 'val'));
    else ids.set(`${local} ${valueOf(token.attributes, 'type')}`, valueOf(token.attributes, 'id'));
  }
  if (!isDifferent && !isOnlyPage) return { header: null, footer: null };
  const partOf = (reference: string): string | null =>
    relationships.part(ids.get(`${reference} ${isDifferent ? 'first' : 'default'}`) ?? null);
  return { header: partOf('headerReference'), footer: partOf('footerReference') };
}

/** A header or footer in the form of a document, without paragraphs that only number the page. */
export function asDocument(part: string): string {
  const edits = new XmlEdits();
  const paragraphs: { start: number; text: string; hasNumber: boolean }[] = [];
  let name: string | null = null;
  let isText = false;
  for (const token of xmlTokens(part)) {
    const paragraph = paragraphs.at(-1);
    if (token.kind === 'text') {
      if (paragraph === undefined) continue;
      if (isText) paragraph.text += token.text;
      else if (pageNumber.test(token.text)) paragraph.hasNumber = true;
      continue;
    }
    const local = localName(token.name);
    isText = local === 't' && token.kind === 'open';
    if (token.kind === 'open') {
      if (name === null) {
        name = token.name;
        const prefix = name.slice(0, name.indexOf(':') + 1);
        if (token.isEmpty) return `${part.slice(token.start, token.end - 2)}><${prefix}body/></${name}>`;
        edits.insert(token.end, `<${prefix}body>`);
        edits.insert(part.lastIndexOf(`</${name}`), `</${prefix}body>`);
      } else if (local === 'p' && !token.isEmpty) {
        paragraphs.push({ start: token.start, text: '', hasNumber: false });
      } else if (paragraph !== undefined && pageNumber.test(valueOf(token.attributes, 'instr'))) {
        paragraph.hasNumber = true;
      }
    } else if (local === 'p') {
      const ended = paragraphs.pop();
      const words = ended?.text.match(/\p{L}+/gu)?.length ?? 0;
      if (ended?.hasNumber === true && words <= pageNumberWordsMax)
        edits.replace({ start: ended.start, end: token.end }, '');
    }
  }
  return edits.apply(part);
}

function valueOf(attributes: readonly XmlAttribute[], local: string): string {
  return attributes.find(({ name }) => localName(name) === local)?.value ?? '';
}
