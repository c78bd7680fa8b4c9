/**
 * Pictures that the archives of documents contain: the preview that the saving program drew, or the cover of a book.
 */
import type { DocumentKind } from '@kiln/file-types/content-type';
import { Relationships } from '../archive/relationships.js';
import { ZipArchive } from '../archive/zip-archive.js';
import type { EngineInput } from '../engine.js';
import { itemsOf, partOf, readPackage } from '../epub/epub-package.js';
import { attributeOf, childOf, childrenNamed, type XmlElement } from '../xml/xml-tree.js';

/** OpenDocument 1.3, part 2, 3.8. */
const openDocumentPart = 'Thumbnails/thumbnail.png';

/** The thumbnail of an Office file (ISO/IEC 29500-2, 11). */
export function officePreview(kind: DocumentKind, input: EngineInput, signal: AbortSignal): Promise<Buffer | null> {
  return ZipArchive.read(input, kind, signal, async (archive) => {
    const [part] = (await Relationships.of(archive, '', input.filename)).partsOf('thumbnail');
    return part === undefined ? null : archive.bytes(part);
  });
}

export function openDocumentPreview(
  kind: DocumentKind,
  input: EngineInput,
  signal: AbortSignal,
): Promise<Buffer | null> {
  return ZipArchive.read(input, kind, signal, (archive) => archive.bytes(openDocumentPart));
}

export function epubCover(input: EngineInput, signal: AbortSignal): Promise<Buffer | null> {
  return ZipArchive.read(input, 'epub', signal, async (archive) => {
    const { book, folder } = await readPackage(archive, input.filename);
    const part = partOf(coverOf(book), folder);
    return part === null ? null : archive.bytes(part);
  });
}

/** EPUB 3 marks the item, EPUB 2 names it in the metadata. */
function coverOf(book: XmlElement): XmlElement | undefined {
  const items = itemsOf(book);
  const marked = [...items.values()].find((item) =>
    /(?:^|\s)cover-image(?:\s|$)/.test(attributeOf(item, 'properties') ?? ''),
  );
  const meta = childrenNamed(childOf(book, 'metadata'), 'meta').find((one) => attributeOf(one, 'name') === 'cover');
  const named = items.get(attributeOf(meta, 'content') ?? '');
  return [marked, named].find((item) => (attributeOf(item, 'media-type') ?? '').startsWith('image/'));
}
