/** What a thumbnail is. This file loads no image library, so that the parent side of the sandbox can use it. */
import { documentKindOf, type DocumentKind } from '@kiln/file-types/content-type';

export const THUMBNAIL_TYPE = 'image/webp';
/** Pixels of the longest side. A smaller picture keeps its size. */
export const THUMBNAIL_SIDE = 512;
/** A picture that is larger at the usual quality is written at a lower one. */
export const THUMBNAIL_BYTES_AIM = 65_536;
/** The largest thumbnail that a parent accepts from its child, in bytes. */
export const THUMBNAIL_BYTES_MAX = 262_144;

const pictured: ReadonlySet<DocumentKind | null> = new Set<DocumentKind>([
  'image',
  'pdf',
  'docx',
  'pptx',
  'xlsx',
  'odt',
  'odp',
  'ods',
  'epub',
  'audio',
]);

/** Whether a file of this type can have a thumbnail. A document without a picture of itself has none. */
export function mayHaveThumbnail(contentType: string): boolean {
  return pictured.has(documentKindOf(contentType));
}

/** Whether the bytes begin as a WebP file does (RFC 9649, 2.4), with its own length. */
export function isWebp(bytes: Buffer): boolean {
  return (
    bytes.length >= 12 &&
    bytes.toString('latin1', 0, 4) === 'RIFF' &&
    bytes.readUInt32LE(4) + 8 === bytes.length &&
    bytes.toString('latin1', 8, 12) === 'WEBP'
  );
}
