/** The text in the pictures of an image file. */
import { SizeSteps } from './font-size.js';
import type { GreyBitmap } from './grey-bitmap.js';
import { inkOf } from './ink.js';
import { withoutLightText } from './light-text.js';
import type { OcrLimits, OcrSettings } from './ocr-settings.js';
import { PictureDamage } from './picture-damage.js';
import { PictureReader } from './picture-reader.js';
import { recognizedPage } from './recognized-page.js';
import { RecognitionFault } from './recognition-fault.js';
import { hasLines } from './skew.js';
import { textSize } from './text-size.js';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { KnownTitles } from '@kiln/pdf/headings/known-titles';
import { StyleCensus } from '@kiln/pdf/headings/style-census';
import { pageBlocks } from '@kiln/pdf/layout/page-blocks';
import { shownPieces, shownSizeOf } from '@kiln/pdf/layout/page-pieces';
import { LineJoiner } from '@kiln/pdf/markdown/join-lines';
import type { PageSpan } from '@kiln/pdf/markdown/paged-text';
import { writePages } from '@kiln/pdf/markdown/write-document';
import type { PageContent } from '@kiln/pdf/page-model';
import { decodePicture, pictureSize } from './decode-picture.js';

const pixelsMax = 12_000_000;
/** Smaller text is enlarged to this size of its font. In pixels. */
const [sizeMin, sizeAim, scaleMax] = [28, 36, 4];
/** Pictures do not state their size on paper. Their text is assumed to have ten points, or else the picture to be a page of this length. */
const [usualPoints, pageInches] = [10, 11];

export interface ImageText {
  /** Empty if the picture has no text. */
  text: string;
  /** The pictures of the file: where their text is, and where it stands. */
  pages: PageSpan[];
  /** The number of pictures that could not be read, or not in time. */
  leftOut: number;
}

interface ImageFile {
  path: string;
  filename: string;
  ocr: OcrSettings;
  limits: OcrLimits;
}

/**
 * Only a TIFF has pages. In other formats, further pictures are frames of an animation.
 * @throws PictureDamage or RecognitionFault if no picture can be read, ExtractionError file_too_large for too many pages
 */
export async function readImageText(image: ImageFile, isPaged: boolean): Promise<ImageText> {
  const { path, ocr, limits } = image;
  const count = isPaged ? (await pictureSize(path, 0)).pages : 1;
  if (count > limits.ocrPagesMax) throw tooManyPages(image, count);
  const reader = new PictureReader(ocr);
  const sizes = new SizeSteps();
  const pages: (PageContent | null)[] = [];
  let fault: Error | null = null;
  const lastAt = performance.now() + limits.ocrMillisecondsMax;
  for (let page = 0; page < count; page++) {
    if (page > 0 && performance.now() > lastAt) {
      pages.push(null);
      continue;
    }
    try {
      const { bitmap, dotsPerInch } = await legiblePicture(path, page);
      pages.push(recognizedPage(await reader.read(bitmap, dotsPerInch), dotsPerInch, sizes));
    } catch (error) {
      // One page that cannot be read must not fail the others.
      if (!(error instanceof PictureDamage || error instanceof RecognitionFault)) throw error;
      fault ??= error;
      pages.push(null);
    }
    ocr.onPage?.();
  }
  if (fault !== null && pages.every((page) => page === null)) throw fault;
  return textOf(pages);
}

function tooManyPages({ filename, limits }: ImageFile, pages: number): ExtractionError {
  return new ExtractionError(
    'file_too_large',
    `"${filename}" has ${pages} pages; up to ${limits.ocrPagesMax} are recognized here. Split it into smaller files, or have it read by a remote engine for images.`,
  );
}

async function legiblePicture(path: string, page: number): Promise<{ bitmap: GreyBitmap; dotsPerInch: number }> {
  const size = await pictureSize(path, page);
  const bitmap = await decodePicture(path, page, size, { pixelsMax });
  const guess = Math.max(bitmap.width, bitmap.height) / pageInches;
  const ink = inkOf(withoutLightText(bitmap, guess));
  const found = hasLines(ink) ? textSize(ink) : null;
  if (found === null) return { bitmap, dotsPerInch: guess };
  const scale = found >= sizeMin ? 1 : Math.min(scaleMax, sizeAim / found);
  if (scale < 1.1) return { bitmap, dotsPerInch: (found * 72) / usualPoints };
  const larger = await decodePicture(path, page, size, { scale, pixelsMax });
  return { bitmap: larger, dotsPerInch: (found * (larger.width / bitmap.width) * 72) / usualPoints };
}

function textOf(pages: readonly (PageContent | null)[]): ImageText {
  const joiner = new LineJoiner();
  const census = new StyleCensus();
  for (const page of pages) joiner.learn(page?.words ?? []);
  const found = pages.map((page, index) => {
    if (page === null) return { number: index + 1, blocks: [], shown: null };
    const { blocks, pieces } = pageBlocks(page, new Set(), { joiner, readsCode: false });
    for (const block of blocks) census.addBlock(block);
    return { number: index + 1, blocks, shown: { ...shownSizeOf(page), pieces: shownPieces(pieces, page) } };
  });
  const { markdown, pages: spans } = writePages(found, census, new KnownTitles([]));
  return { text: markdown, pages: spans, leftOut: pages.filter((page) => page === null).length };
}
