/** A picture of unknown origin → WebP of at most 512 pixels a side. */
import { readFile, stat } from 'node:fs/promises';
import type { Sharp, SharpOptions } from 'sharp';
import { loadSharp } from '@kiln/ocr/load-sharp';
import { THUMBNAIL_BYTES_AIM, THUMBNAIL_SIDE } from './thumbnail.js';

/** The default limit of libvips: 16,383 × 16,383 pixels. Most formats are reduced while they are read. */
const pixelsMax = 268_402_689;
/** A drawing is read as a whole, so it has its own limit. */
const drawingBytesMax = 10 * 1024 * 1024;
/** The largest standard deviation of a blank picture, in levels from 0 to 255. */
const blankDeviationMax = 1;
const qualities = [80, 60, 40, 20, 5];

/** Of animations and files with several pictures, the first picture is taken. Damaged pictures are refused. */
const options: SharpOptions = { limitInputPixels: pixelsMax, failOn: 'error', pages: 1, sequentialRead: true };

/** Pixels of four bytes: red, green, blue, and an unused byte. */
export interface Pixels {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/**
 * Null for a format that cannot be read here, such as HEIC with its patented codec.
 * @throws Error of libvips for a damaged picture, or one with too many pixels.
 */
export async function pictureThumbnail(source: string | Buffer): Promise<Buffer | null> {
  const open = await loadSharp();
  const format = await formatOf(source);
  if (format === null) return null;
  if (format !== 'svg') return webp(open(source, options).autoOrient(), { withoutEnlargement: true });
  const drawing = await drawingOf(source);
  // Without a path, a drawing has no folder from which it could take other files.
  return drawing === null ? null : webp(open(drawing, options), { withoutEnlargement: false });
}

/** A page that is drawn larger and then reduced is sharper than a page that is drawn in the final size. */
export async function pixelsThumbnail({ pixels, width, height }: Pixels): Promise<Buffer> {
  const open = await loadSharp();
  return webp(open(pixels, { raw: { width, height, channels: 4 } }).removeAlpha(), { withoutEnlargement: true });
}

/** Whether all pixels of a picture have nearly the same color. */
export async function isBlank(picture: Buffer): Promise<boolean> {
  const open = await loadSharp();
  const { channels } = await open(picture).stats();
  return channels.every(({ stdev }) => stdev < blankDeviationMax);
}

async function formatOf(source: string | Buffer): Promise<string | null> {
  const open = await loadSharp();
  try {
    const { format, compression } = await open(source, options).metadata();
    return compression === 'hevc' ? null : format;
  } catch (error) {
    if (error instanceof Error && /unsupported image format/.test(error.message)) return null;
    throw error;
  }
}

async function drawingOf(source: string | Buffer): Promise<Buffer | null> {
  if (typeof source !== 'string') return source;
  const { size } = await stat(source);
  return size > drawingBytesMax ? null : readFile(source);
}

async function webp(picture: Sharp, { withoutEnlargement }: { withoutEnlargement: boolean }): Promise<Buffer> {
  const small = await picture
    .resize({ width: THUMBNAIL_SIDE, height: THUMBNAIL_SIDE, fit: 'inside', withoutEnlargement })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const open = await loadSharp();
  const { width, height, channels } = small.info;
  let bytes = Buffer.alloc(0);
  for (const quality of qualities) {
    bytes = await open(small.data, { raw: { width, height, channels } })
      .webp({ quality, alphaQuality: quality })
      .toBuffer();
    if (bytes.length <= THUMBNAIL_BYTES_AIM) break;
  }
  return bytes;
}
