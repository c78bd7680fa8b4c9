// Generated documents: the suites contain no third-party files.
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** A PDF with one page per text. */
export async function pdfOf(...pages: string[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of pages) document.addPage().drawText(text, { x: 50, y: 700, size: 14, font, maxWidth: 480 });
  return document.save();
}

const CONTENT_TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const RELATIONSHIPS = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;

/** A docx whose document unpacks to `unpackedBytes` of blanks, but is a few hundred kilobytes compressed. */
export async function zipBombDocx(unpackedBytes: number): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(CONTENT_TYPES), '[Content_Types].xml');
  zip.addBuffer(Buffer.from(RELATIONSHIPS), '_rels/.rels');
  zip.addReadStream(Readable.from(blanks(unpackedBytes)), 'word/document.xml');
  zip.end();
  return buffer(zip.outputStream);
}

function* blanks(total: number): Generator<Buffer> {
  const block = Buffer.alloc(1_048_576, ' ');
  for (let left = total; left > 0; left -= block.length) yield block.subarray(0, Math.min(left, block.length));
}

/** A text of `megabytes` built from one shared block, so that it needs little memory. */
export function textBlob(megabytes: number): Blob {
  const block = Buffer.from('All work and no play makes Jack a dull boy. '.repeat(24_000)).subarray(0, 1_048_576);
  return new Blob(Array.from({ length: megabytes }, () => block));
}

/** A black PNG of 1200 × 600 pixels, which its EXIF properties say to rotate: it is shown as 600 × 1200. */
export const turnedPng = Buffer.from(
  [
    'iVBORw0KGgoAAAANSUhEUgAABLAAAAJYAQAAAABanSK3AAAAGmVYSWZJSSoACAAAAAEAEgEDAAEAAAAGAAAAAAAAALdIESkAAABv',
    'SURBVHja7cGBAAAAAMOg+VNf4QBVAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAK8BYfcAAXYds4EAAAAASUVORK5CYII=',
  ].join(''),
  'base64',
);

/** Width and height of a WebP image without transparency (RFC 6386, 9.1, in RFC 9649, 2.5). */
export function webpSize(image: Buffer): [width: number, height: number] {
  if (image.toString('latin1', 8, 16) !== 'WEBPVP8 ') throw new Error('not a WebP image without transparency');
  return [image.readUInt16LE(26) & 0x3fff, image.readUInt16LE(28) & 0x3fff];
}
