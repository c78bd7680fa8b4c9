/** The parts of an OpenDocument file (OASIS OpenDocument 1.3, part 2). */
import type { DocumentKind } from '@kiln/file-types/content-type';
import { isoDate } from '@kiln/pdf/iso-date';
import type { CoreProperties } from '../archive/core-properties.js';
import type { ZipArchive } from '../archive/zip-archive.js';
import type { EngineInput } from '../engine.js';
import { corruptFile } from '../engine-failure.js';
import { encryptedFile } from '@kiln/pdf/extraction-error';
import {
  attributeOf,
  childOf,
  descend,
  descendants,
  type ElementVisitor,
  elementsOf,
  parseXml,
  textOf,
  type XmlElement,
} from '../xml/xml-tree.js';
import { OdfStyles } from './odf-styles.js';

const textCharactersMax = 1000;

const details: Readonly<Record<string, string>> = {
  subject: 'dc:subject',
  description: 'dc:description',
  last_modified_by: 'dc:creator',
  application: 'meta:generator',
};
const dates: Readonly<Record<string, string>> = { created: 'meta:creation-date', modified: 'dc:date' };

/** @throws ExtractionError encrypted_file or corrupt_file */
export async function assertNotEncrypted(archive: ZipArchive, { filename }: EngineInput): Promise<void> {
  const manifest = await archive.text('META-INF/manifest.xml');
  if (manifest === null) return;
  for (const entry of elementsOf(parseXml(manifest, filename)))
    if (childOf(entry, 'encryption-data') !== null) throw encryptedFile(filename);
}

/** The styles that users name. Those of `content.xml` are added by {@link readContent}. */
export async function readStyles(archive: ZipArchive, { filename }: EngineInput): Promise<OdfStyles> {
  const xml = await archive.text('styles.xml');
  const styles = new OdfStyles();
  const root = xml === null ? null : parseXml(xml, filename);
  styles.add(childOf(root, 'styles'));
  styles.add(childOf(root, 'automatic-styles'));
  styles.add(childOf(root, 'master-styles'));
  return styles;
}

/** @throws ExtractionError corrupt_file for a file without content of this kind. */
export async function readContent(
  archive: ZipArchive,
  kind: DocumentKind,
  input: EngineInput,
  visit?: ElementVisitor,
): Promise<{ root: XmlElement; content: XmlElement }> {
  const root = parseXml(await archive.requiredText('content.xml'), input.filename, visit);
  const body = childOf(root, 'body');
  const [content] = body === null ? [] : elementsOf(body);
  if (content === undefined) throw corruptFile(kind, input.filename);
  return { root, content };
}

export async function readMeta(archive: ZipArchive, { filename }: EngineInput): Promise<CoreProperties> {
  const xml = await archive.text('meta.xml');
  const meta = xml === null ? null : descend(parseXml(xml, filename), 'meta');
  const fields = new Map<string, string>();
  const keywords: string[] = [];
  for (const field of meta === null ? [] : elementsOf(meta)) {
    const text = textOf(field).replace(/\s+/g, ' ').trim().slice(0, textCharactersMax);
    if (text === '') continue;
    if (field.name === 'meta:keyword') keywords.push(text);
    else if (!fields.has(field.name)) fields.set(field.name, text);
  }
  const named = Object.entries(details).flatMap(([name, element]) => {
    const text = fields.get(element);
    return text === undefined ? [] : [[name, text] as const];
  });
  const dated = Object.entries(dates).flatMap(([name, element]) => {
    const date = isoDate(fields.get(element));
    return date === null ? [] : [[name, date] as const];
  });
  const pages = Number(attributeOf(childOf(meta, 'document-statistic'), 'meta:page-count') ?? Number.NaN);
  return {
    title: fields.get('dc:title') ?? null,
    author: fields.get('meta:initial-creator') ?? fields.get('dc:creator') ?? null,
    language: /^([a-z]{2,3})\b/i.exec(fields.get('dc:language') ?? '')?.[1]?.toLowerCase() ?? null,
    details: {
      ...Object.fromEntries([...named, ...dated]),
      ...(Number.isSafeInteger(pages) && pages > 0 ? { stated_page_count: pages } : {}),
      ...(keywords.length === 0 ? {} : { keywords: keywords.join(', ').slice(0, textCharactersMax) }),
    },
  };
}

/** All texts of the paragraphs below, on one line. */
export function lineOf(element: XmlElement): string {
  return [...descendants(element, 'p')].map(textOf).join(' ').replace(/\s+/g, ' ').trim();
}
