/** Decodes the pictures of image files into grey pixels, upright and on white, for recognition. */
import type { ResizeOptions, Sharp } from 'sharp';
import type { GreyBitmap } from './grey-bitmap.js';
import { loadSharp } from './load-sharp.js';
import { PictureDamage } from './picture-damage.js';

/** The formats that are decoded, as `image-size` names them. */
export const decodedFormats: ReadonlySet<string> = new Set(['png', 'jpg', 'webp', 'gif', 'tiff']);
/** Larger pictures do not fit into the memory of a process. */
export const picturePixelsMax = 100_000_000;
/** The longest side of a JPEG. Only a damaged file states a longer one, and recognition would search all of it for tiny text. */
export const pictureSideMax = 65_535;

/** libvips detects the format itself. Only these formats are decoded, by its names. */
const decodedByLibvips = new Set(['png', 'jpeg', 'webp', 'gif', 'tiff']);

export interface PictureSize {
  width: number;
  height: number;
  /** The number of pictures in the file. */
  pages: number;
}

/** The size of one picture of a file, before it is made upright. `page` counts from 0. @throws PictureDamage */
export async function pictureSize(path: string, page: number): Promise<PictureSize> {
  const { format, width, height, pages = 1 } = await decoded((await opened(path, page)).metadata());
  if (!decodedByLibvips.has(format)) throw new PictureDamage(`libvips takes the picture for ${format}`);
  if (Math.max(width, height) > pictureSideMax) throw new PictureDamage(`a picture is ${width} × ${height}`);
  return { width, height, pages };
}

/** One picture of a file, enlarged by `scale`, but to at most `pixelsMax` pixels. `page` counts from 0. @throws PictureDamage */
export async function decodePicture(
  path: string,
  page: number,
  size: Pick<PictureSize, 'width' | 'height'>,
  { scale = 1, pixelsMax }: { scale?: number; pixelsMax: number },
): Promise<GreyBitmap> {
  const factor = Math.min(scale, Math.sqrt(pixelsMax / (size.width * size.height)));
  const picture = (await opened(path, page)).autoOrient().flatten({ background: 'white' }).greyscale();
  const scaled = factor === 1 ? picture : picture.resize(resized(size, factor));
  const { data, info } = await decoded(scaled.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true }));
  return { width: info.width, height: info.height, pixels: new Uint8Array(data.buffer, data.byteOffset, data.length) };
}

/** Damage becomes grey areas, and the visible rest is read. */
async function opened(path: string, page: number): Promise<Sharp> {
  const sharp = await loadSharp();
  return sharp(path, { page, limitInputPixels: picturePixelsMax, failOn: 'none' });
}

async function decoded<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    throw new PictureDamage('libvips could not decode a picture', { cause });
  }
}

/** The box holds the picture in either orientation. */
function resized({ width, height }: Pick<PictureSize, 'width' | 'height'>, factor: number): ResizeOptions {
  const side = Math.max(1, Math.round(Math.max(width, height) * factor));
  return { width: side, height: side, fit: 'inside', kernel: 'cubic' };
}
