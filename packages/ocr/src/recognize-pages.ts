/** Reads pages that are pictures of text, within the bounds of a document. */
import { inkOf } from './ink.js';
import type { OcrLimits, OcrSettings } from './ocr-settings.js';
import type { PictureReader } from './picture-reader.js';
import { RecognitionFault } from './recognition-fault.js';
import { recognizedPage } from './recognized-page.js';
import { SizeSteps } from './font-size.js';
import { textSize } from './text-size.js';
import type { GreyBitmap } from './grey-bitmap.js';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import type { PageContent } from '@kiln/pdf/page-model';
import type { PageRecognizer } from '@kiln/pdf/page-recognizer';
import type { PdfDocument } from '@kiln/pdf/pdfium-document';
import { drawPage, shownSize } from '@kiln/pdf/pdfium/draw-page';
import { PageReader, type ReadPage } from '@kiln/pdf/pdfium/read-page';

/** This suffices for text of ten points. Tesseract scales lines to 36 pixels, which is a size of 43. */
const usualDotsPerInch = 200;
const dotsPerInchMax = 400;
/** Smaller text is drawn again in this size. */
const [sizeMin, sizeAim] = [22, 32];
/** A page of A4 at 350 dots per inch. */
const pixelsMax = 12_000_000;

/** With less, the picture holds little more than the page's own text, which is exact. */
const muchMore = 1.5;

export interface RecognitionOptions {
  filename: string;
  limits: OcrLimits;
  ocr: OcrSettings;
}

/** @throws ExtractionError file_too_large for a scan of too many pages */
export function recognizerOf(document: PdfDocument, options: RecognitionOptions): PageRecognizer {
  assertNoLargeScan(document, options);
  return new DrawnPageRecognizer(document, options);
}

class DrawnPageRecognizer implements PageRecognizer {
  /** The number of pages whose text was found in their pictures. */
  private recognized = 0;
  /** The number of pages that were not recognized, because a limit was reached or recognition failed. */
  private leftOut = 0;
  private reader: PictureReader | null = null;
  private readonly sizes = new SizeSteps();
  private milliseconds = 0;

  constructor(
    private readonly document: PdfDocument,
    private readonly options: RecognitionOptions,
  ) {}

  async read(number: number, { content: page, isGarbled }: ReadPage): Promise<PageContent> {
    const { limits, ocr } = this.options;
    if (this.recognized >= limits.ocrPagesMax || this.milliseconds >= limits.ocrMillisecondsMax) {
      this.leftOut++;
      return page;
    }
    const start = performance.now();
    const drawn = this.draw(number);
    if (drawn === null) return page;
    this.reader ??= await openReader(ocr);
    const picture = await this.reader.read(drawn.bitmap, drawn.dotsPerInch).catch(nullOnFault);
    this.milliseconds += performance.now() - start;
    ocr.onPage?.();
    if (picture === null) {
      this.leftOut++;
      return page;
    }
    const found = recognizedPage(picture, drawn.dotsPerInch, this.sizes);
    if (found.words.length <= (isGarbled ? 0 : page.words.length * muchMore)) return page;
    this.recognized++;
    return found;
  }

  /** Empty for a document without pages that are pictures. */
  details(): Record<string, number> {
    return {
      ...(this.recognized === 0 ? {} : { ocr_pages: this.recognized }),
      ...(this.leftOut === 0 ? {} : { ocr_pages_left_out: this.leftOut }),
    };
  }

  private draw(number: number): { bitmap: GreyBitmap; dotsPerInch: number } | null {
    const { pdfium, pointer } = this.document;
    const page = pdfium.FPDF_LoadPage(pointer, number - 1);
    if (page === 0) return null;
    try {
      const { width, height } = shownSize(pdfium, page);
      const most = Math.min(dotsPerInchMax, Math.sqrt(pixelsMax / ((width / 72) * (height / 72))));
      const dotsPerInch = Math.min(usualDotsPerInch, most);
      const bitmap = drawPage(pdfium, page, dotsPerInch / 72, 'grey');
      if (bitmap === null) return null;
      const size = textSize(inkOf(bitmap));
      const finer = size === null || size >= sizeMin ? dotsPerInch : Math.min(most, (dotsPerInch * sizeAim) / size);
      if (finer <= dotsPerInch * 1.1) return { bitmap, dotsPerInch };
      const larger = drawPage(pdfium, page, finer / 72, 'grey');
      return larger === null ? { bitmap, dotsPerInch } : { bitmap: larger, dotsPerInch: finer };
    } finally {
      pdfium.FPDF_ClosePage(page);
    }
  }
}

/** One page that cannot be recognized must not fail the others. */
function nullOnFault(error: unknown): null {
  if (error instanceof RecognitionFault) return null;
  throw error;
}

/** Most documents have no pictures of text, so the recognizer is loaded on first use. */
async function openReader(ocr: OcrSettings): Promise<PictureReader> {
  const { PictureReader: Reader } = await import('./picture-reader.js');
  return new Reader(ocr);
}

const sampledPages = 40;
const scanShare = 0.9;

/**
 * Refuses a scan of too many pages before the first page is recognized, because most of its text would be missing. If
 * some pages have text, the document is read, and pictures are recognized up to the limit. @throws ExtractionError
 * file_too_large
 */
function assertNoLargeScan(document: PdfDocument, { filename, limits }: RecognitionOptions): void {
  const { pageCount } = document;
  if (pageCount <= limits.ocrPagesMax) return;
  const reader = new PageReader(document.pdfium, document.pointer);
  try {
    const step = Math.max(1, Math.floor(pageCount / sampledPages));
    let [pictures, pages] = [0, 0];
    for (let number = 1; number <= pageCount; number += step) {
      pages++;
      if (reader.isPicture(number)) pictures++;
    }
    if (pictures < pages * scanShare) return;
  } finally {
    reader.close();
  }
  throw new ExtractionError(
    'file_too_large',
    `"${filename}" has ${pageCount} pages without readable text, as a scan has; up to ${limits.ocrPagesMax} are recognized here. Split it into smaller files, or have it read by a remote engine for documents.`,
  );
}
