/** Draws a page of a PDF in color. */
import { readFile } from 'node:fs/promises';
import { discardPdfium, isPdfiumFault, openPdf, type PdfDocument } from '@kiln/pdf/pdfium-document';
import { drawPage, type DrawnPage, shownSize } from '@kiln/pdf/pdfium/draw-page';
import { corruptFile } from '../engine-failure.js';

interface PdfPage {
  pageCount: number;
  /** Null: the document has fewer pages. */
  drawn: DrawnPage | null;
}

interface DrawOptions {
  /** Counts from 1. */
  page: number;
  /** Pixels for each point, by the size in points. */
  scaleOf: (width: number, height: number) => number;
}

/** @throws ExtractionError encrypted_file, or corrupt_file, also for a page that pdfium cannot draw. */
export async function drawPdfPage(
  { path, filename }: { path: string; filename: string },
  options: DrawOptions,
): Promise<PdfPage> {
  const document = await openPdf(await readFile(path), filename);
  const { pageCount } = document;
  try {
    const drawn = options.page > pageCount ? null : drawOne(document, options);
    document.close();
    if (drawn === undefined) throw corruptFile('pdf', filename);
    return { pageCount, drawn };
  } catch (error) {
    if (isPdfiumFault(error)) discardPdfium();
    throw error;
  }
}

function drawOne({ pdfium, pointer }: PdfDocument, { page, scaleOf }: DrawOptions): DrawnPage | undefined {
  const loaded = pdfium.FPDF_LoadPage(pointer, page - 1);
  const { width, height } = shownSize(pdfium, loaded);
  const drawn = drawPage(pdfium, loaded, scaleOf(width, height), 'color');
  pdfium.FPDF_ClosePage(loaded);
  return drawn ?? undefined;
}
