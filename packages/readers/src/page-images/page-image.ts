/** What the image of a page is. This file loads no image library, so that the parent side of the sandbox can use it. */
import { bareContentType, documentKindOf } from '@kiln/file-types/content-type';

export const PAGE_IMAGE_TYPE = 'image/png';
/** Pixels. A page of A4 that is 2,048 pixels wide has fewer. A longer page is drawn narrower. */
export const PAGE_PIXELS_MAX = 6_000_000;
/** Three bytes for each pixel: PNG makes no picture much larger than that. */
export const PAGE_IMAGE_BYTES_MAX = 20_971_520;

/** Formats that libvips is built without: BMP, and HEIC with its patented codec. */
const notDrawn = new Set(['image/bmp', 'image/heic', 'image/heif']);
/** PNG, third edition, 5.2. */
const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Whether the pages of a file of this type can be drawn. */
export function hasDrawnPages(contentType: string): boolean {
  const kind = documentKindOf(contentType);
  return kind === 'pdf' || (kind === 'image' && !notDrawn.has(bareContentType(contentType)));
}

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, signature.length).equals(signature);
}
