/** Reads a book (EPUB 3.3, and 2): its chapters are XHTML, in the order of its spine. */
import { isoDate } from '@kiln/pdf/iso-date';
import { ZipArchive } from '../archive/zip-archive.js';
import type { Engine, EngineInput, EngineOutput } from '../engine.js';
import { encryptedFile } from '@kiln/pdf/extraction-error';
import { withoutEmptyTags } from '../html/empty-tags.js';
import { parseHtml } from '../html/html-document.js';
import { toMarkdown } from '../html/html-to-markdown.js';
import {
  attributeOf,
  childOf,
  childrenNamed,
  descendants,
  elementsOf,
  parseXml,
  textOf,
  type XmlElement,
} from '../xml/xml-tree.js';
import { type BookPackage, itemsOf, partOf, readPackage } from './epub-package.js';
import { dropRelativeAddresses } from './relative-addresses.js';

/** Fonts that are only obscured need no key (EPUB 3.3, 4.4; Adobe). */
const obfuscation = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;
const textCharactersMax = 1000;

/** A book has no pages, because they depend on the screen. */
export const extractEpub: Engine = (input, signal) =>
  ZipArchive.read(input, 'epub', signal, async (archive) => {
    await assertReadable(archive, input);
    const opened = await readPackage(archive, input.filename);
    const chapters: string[] = [];
    let characters = 0;
    for (const part of spineOf(opened)) {
      const xhtml = await archive.text(part);
      if (xhtml === null) continue;
      const markdown = chapterMarkdown(xhtml, input, characters);
      if (markdown === '') continue;
      chapters.push(markdown);
      characters += markdown.length;
    }
    return { ...propertiesOf(opened.book), markdown: chapters.length === 0 ? '' : `${chapters.join('\n\n')}\n` };
  });

/** @throws ExtractionError encrypted_file for a book with digital rights management. */
async function assertReadable(archive: ZipArchive, { filename }: EngineInput): Promise<void> {
  const xml = await archive.text('META-INF/encryption.xml');
  if (xml === null) return;
  for (const data of descendants(parseXml(xml, filename), 'EncryptedData')) {
    const algorithm = attributeOf(childOf(data, 'EncryptionMethod'), 'Algorithm') ?? '';
    if (!obfuscation.test(algorithm)) throw encryptedFile(filename);
  }
}

/** The parts of the chapters, each once. The table of contents repeats their headings, so it is left out. */
function spineOf({ book, folder }: BookPackage): string[] {
  const items = itemsOf(book);
  const parts = childrenNamed(childOf(book, 'spine'), 'itemref').flatMap((reference) => {
    const item = items.get(attributeOf(reference, 'idref') ?? '');
    const part = partOf(item, folder);
    const isContents = /(?:^|\s)nav(?:\s|$)/.test(attributeOf(item, 'properties') ?? '');
    const isText = /html|dtbook|text/.test(attributeOf(item, 'media-type') ?? 'html');
    return part === null || isContents || !isText ? [] : [part];
  });
  return [...new Set(parts)];
}

function chapterMarkdown(xhtml: string, { filename, limits }: EngineInput, charactersBefore: number): string {
  const document = parseHtml(withoutEmptyTags(xhtml), filename);
  dropRelativeAddresses(document.body);
  return toMarkdown(document, filename, limits.outputBytesMax, charactersBefore).trimEnd();
}

function propertiesOf(book: XmlElement): Omit<EngineOutput, 'markdown'> {
  const fields = new Map<string, string[]>();
  const metadata = childOf(book, 'metadata');
  for (const field of metadata === null ? [] : elementsOf(metadata)) {
    const text = textOf(field).replace(/\s+/g, ' ').trim().slice(0, textCharactersMax);
    if (text === '' || !field.name.startsWith('dc:')) continue;
    const known = fields.get(field.local);
    if (known === undefined) fields.set(field.local, [text]);
    else known.push(text);
  }
  const all = (name: string): string | null => fields.get(name)?.join(', ').slice(0, textCharactersMax) ?? null;
  const details = Object.fromEntries(
    ['publisher', 'identifier', 'description', 'subject', 'rights', 'contributor'].flatMap((name) => {
      const text = all(name);
      return text === null ? [] : [[name, text]];
    }),
  );
  return {
    pages: null,
    pageCount: null,
    title: fields.get('title')?.[0] ?? null,
    author: all('creator'),
    language: /^([a-z]{2,3})\b/i.exec(fields.get('language')?.[0] ?? '')?.[1]?.toLowerCase() ?? null,
    details: { ...details, ...datesOf(fields, metadata), ...versionOf(book) },
  };
}

function datesOf(fields: ReadonlyMap<string, readonly string[]>, metadata: XmlElement | null): Record<string, string> {
  const meta = childrenNamed(metadata, 'meta').find((one) => attributeOf(one, 'property') === 'dcterms:modified');
  const stated = { published: fields.get('date')?.[0], modified: meta === undefined ? null : textOf(meta) };
  return Object.fromEntries(
    Object.entries(stated).flatMap(([name, text]) => {
      const date = isoDate(text);
      return date === null ? [] : [[name, date]];
    }),
  );
}

function versionOf(book: XmlElement): { epub_version?: string } {
  const version = attributeOf(book, 'version') ?? '';
  return /^\d(?:\.\d){0,2}$/.test(version) ? { epub_version: version } : {};
}
