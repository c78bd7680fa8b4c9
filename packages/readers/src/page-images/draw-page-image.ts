/** Draws one page of a document as PNG. Runs only in the sandbox. */
import type { Sharp } from 'sharp';
import { loadSharp } from '@kiln/ocr/load-sharp';
import type { DocumentKind } from '@kiln/file-types/content-type';
import { corruptFile } from '../engine-failure.js';
import type { PageImage, PageToDraw } from '../extractor.js';
import { drawPdfPage } from './draw-pdf-page.js';
import { PAGE_PIXELS_MAX } from './page-image.js';

/** The default limit of libvips: 16,383 × 16,383 pixels. Most formats are reduced while they are read. */
const picturePixelsMax = 268_402_689;

interface Source {
  path: string;
  filename: string;
}

/** @throws ExtractionError encrypted_file or corrupt_file, or the error of a library for a damaged document. */
export function pageImageOf(kind: DocumentKind, source: Source, place: PageToDraw): Promise<PageImage> {
  return kind === 'pdf' ? pageOfPdf(source, place) : pageOfImage(source, place);
}

async function pageOfPdf(source: Source, { page, width }: PageToDraw): Promise<PageImage> {
  const { pageCount, drawn } = await drawPdfPage(source, {
    page,
    scaleOf: (points, high) => Math.min(width / points, Math.sqrt(PAGE_PIXELS_MAX / (points * high))),
  });
  if (drawn === null) return { pageCount, png: null };
  const open = await loadSharp();
  const raw = { width: drawn.width, height: drawn.height, channels: 4 } as const;
  return { pageCount, png: await pngOf(open(drawn.pixels, { raw }).removeAlpha()) };
}

/** Only a TIFF has pages. In other formats, further pictures are frames of an animation. A smaller picture keeps its size. */
async function pageOfImage({ path, filename }: Source, { page, width }: PageToDraw): Promise<PageImage> {
  const open = await loadSharp();
  const options = { limitInputPixels: picturePixelsMax, failOn: 'none' } as const;
  const { format, pages = 1 } = await open(path, options).metadata();
  const pageCount = format === 'tiff' ? pages : 1;
  if (page > pageCount) return { pageCount, png: null };
  const height = Math.floor(PAGE_PIXELS_MAX / width);
  const picture = open(path, { ...options, page: page - 1 })
    .autoOrient()
    .flatten({ background: 'white' })
    .resize({ width, height, fit: 'inside', withoutEnlargement: true });
  const png = await pngOf(picture).catch((error: unknown) => {
    throw corruptFile('image', filename, error);
  });
  return { pageCount, png };
}

/** Without filters, text on white is written in a third of the time and hardly larger. */
const pngOf = (picture: Sharp): Promise<Buffer> =>
  picture.toColourspace('srgb').png({ compressionLevel: 6, adaptiveFiltering: false }).toBuffer();
