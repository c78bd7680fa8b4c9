/** The text in the pictures of an image file. */
import { SizeSteps } from '../../ocr/font-size.js';
import type { GreyBitmap } from '../../ocr/grey-bitmap.js';
import { inkOf } from '../../ocr/ink.js';
import { withoutLightText } from '../../ocr/light-text.js';
import { PictureReader } from '../../ocr/picture-reader.js';
import { recognizedPage } from '../../ocr/recognized-page.js';
import { hasLines } from '../../ocr/skew.js';
import { textSize } from '../../ocr/text-size.js';
import type { EngineInput } from '../engine.js';
import { KnownTitles } from '../pdf/headings/known-titles.js';
import { StyleCensus } from '../pdf/headings/style-census.js';
import { pageBlocks } from '../pdf/layout/page-blocks.js';
import { LineJoiner } from '../pdf/markdown/join-lines.js';
import { writePages } from '../pdf/markdown/write-document.js';
import type { PageContent } from '../pdf/page-model.js';
import { decodePicture, pictureSize } from './decode-picture.js';

const pixelsMax = 12_000_000;
/** Smaller text is enlarged to this. Pixels of the size of its font. */
const [sizeMin, sizeAim, scaleMax] = [28, 36, 4];
/** Pictures say nothing of their size on paper. Their text is taken for text of ten points, or else they are for a page of this length. */
const [usualPoints, pageInches] = [10, 11];

export interface ImageText {
  /** Empty when there is none. */
  text: string;
  /** The pictures that were read. */
  pages: number;
}

/** Only a TIFF has pages; further pictures of other formats are animation. @throws PictureDamage */
export async function readImageText(
  { path, ocr, limits }: Pick<EngineInput, 'path' | 'ocr' | 'limits'>,
  isPaged: boolean,
): Promise<ImageText> {
  const reader = new PictureReader(ocr);
  const sizes = new SizeSteps();
  const pages: PageContent[] = [];
  const count = isPaged ? Math.min((await pictureSize(path, 0)).pages, limits.ocrPagesMax) : 1;
  for (let page = 0; page < count; page++) {
    const { bitmap, dotsPerInch } = await legiblePicture(path, page);
    pages.push(recognizedPage(await reader.read(bitmap, dotsPerInch), dotsPerInch, sizes));
    ocr.onPage?.();
  }
  return { text: markdownOf(pages), pages: count };
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

function markdownOf(pages: readonly PageContent[]): string {
  const joiner = new LineJoiner();
  const census = new StyleCensus();
  for (const { words } of pages) joiner.learn(words);
  const found = pages.map((page, index) => {
    const blocks = pageBlocks(page, new Set(), { joiner, readsCode: false });
    for (const block of blocks) census.addBlock(block);
    return { number: index + 1, blocks };
  });
  return writePages(found, census, new KnownTitles([])).markdown;
}
