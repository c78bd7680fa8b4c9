/** A picture of unknown origin → WebP of at most 512 pixels a side. */
import { readFile, stat } from 'node:fs/promises';
import type { Sharp, SharpOptions } from 'sharp';
import { loadSharp } from '@kiln/ocr/load-sharp';
import { THUMBNAIL_BYTES_AIM, THUMBNAIL_SIDE } from './thumbnail.js';

/** As many as libvips allows by default: 16,383 × 16,383. Most formats are reduced while they are read. */
const pixelsMax = 268_402_689;
/** A drawing is read as a whole. */
const drawingBytesMax = 10 * 1024 * 1024;
/** Of 256 steps. */
const blankDeviationMax = 1;
const qualities = [80, 60, 40, 20, 5];

/** Of animations and of files with several pictures, the first. Damaged pictures are refused. */
const options: SharpOptions = { limitInputPixels: pixelsMax, failOn: 'error', pages: 1, sequentialRead: true };

/** Pixels of four bytes: red, green, blue, and one that is not used. */
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

/** A page that was drawn larger than its thumbnail becomes sharper than one that was drawn in its size. */
export async function pixelsThumbnail({ pixels, width, height }: Pixels): Promise<Buffer> {
  const open = await loadSharp();
  return webp(open(pixels, { raw: { width, height, channels: 4 } }).removeAlpha(), { withoutEnlargement: true });
}

/** Whether a picture has one colour only, or nearly. */
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
