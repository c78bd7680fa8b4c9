/** The package of a book: its parts and their places (EPUB 3.3, 5). */
import { posix } from 'node:path';
import type { ZipArchive } from '../archive/zip-archive.js';
import { corruptFile } from '../engine-failure.js';
import { attributeOf, childOf, childrenNamed, descend, parseXml, type XmlElement } from '../xml/xml-tree.js';

export interface BookPackage {
  book: XmlElement;
  /** The folder of the package. Addresses in the package are relative to it. */
  folder: string;
}

export async function readPackage(archive: ZipArchive, filename: string): Promise<BookPackage> {
  const container = parseXml(await archive.requiredText('META-INF/container.xml'), filename);
  const path = attributeOf(descend(container, 'rootfiles', 'rootfile'), 'full-path');
  if (path === null) throw corruptFile('epub', filename);
  return { book: parseXml(await archive.requiredText(path), filename), folder: posix.dirname(path) };
}

/** The items of the manifest by their ids. */
export function itemsOf(book: XmlElement): Map<string, XmlElement> {
  return new Map(childrenNamed(childOf(book, 'manifest'), 'item').map((item) => [attributeOf(item, 'id') ?? '', item]));
}

/** The name of the part that an item of the manifest refers to. */
export function partOf(item: XmlElement | undefined, folder: string): string | null {
  const href = attributeOf(item, 'href');
  return href === null ? null : posix.join(folder, decoded(href.split('#', 1)[0] ?? ''));
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
