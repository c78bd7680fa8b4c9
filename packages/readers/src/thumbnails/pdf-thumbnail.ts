/** The first page of a PDF. */
import { drawPdfPage } from '../page-images/draw-pdf-page.js';
import { pixelsThumbnail } from './picture.js';
import { THUMBNAIL_SIDE } from './thumbnail.js';

/** Small letters keep their shape if the page is drawn larger and then reduced. */
const drawnSide = THUMBNAIL_SIDE * 2;

/** @throws ExtractionError encrypted_file or corrupt_file */
export async function pdfThumbnail(source: { path: string; filename: string }): Promise<Buffer | null> {
  const { drawn } = await drawPdfPage(source, {
    page: 1,
    scaleOf: (width, height) => drawnSide / Math.max(width, height),
  });
  return drawn === null ? null : pixelsThumbnail(drawn);
}
