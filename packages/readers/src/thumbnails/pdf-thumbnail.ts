/** The first page of a PDF. */
import { discardPdfium, isPdfiumFault, openPdf } from '@kiln/pdf/pdfium-document';
import { drawPage, type DrawnPage, shownSize } from '@kiln/pdf/pdfium/draw-page';
import { pixelsThumbnail } from './picture.js';
import { THUMBNAIL_SIDE } from './thumbnail.js';

/** Small letters keep their shape if the page is drawn larger and then reduced. */
const drawnSide = THUMBNAIL_SIDE * 2;

/** Null for a page that pdfium cannot draw. @throws ExtractionError encrypted_file or corrupt_file */
export async function pdfThumbnail(pdf: Buffer, filename: string): Promise<Buffer | null> {
  const drawn = await drawFirstPage(pdf, filename);
  return drawn === null ? null : pixelsThumbnail(drawn);
}

async function drawFirstPage(pdf: Buffer, filename: string): Promise<DrawnPage | null> {
  const document = await openPdf(pdf, filename);
  try {
    const { pdfium, pointer } = document;
    const page = pdfium.FPDF_LoadPage(pointer, 0);
    const { width, height } = shownSize(pdfium, page);
    const drawn = drawPage(pdfium, page, drawnSide / Math.max(width, height), 'color');
    pdfium.FPDF_ClosePage(page);
    document.close();
    return drawn;
  } catch (error) {
    if (isPdfiumFault(error)) discardPdfium();
    else document.close();
    throw error;
  }
}
