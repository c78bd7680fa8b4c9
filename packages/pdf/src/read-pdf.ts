/**
 * Converts PDF to markdown. pdfium reads glyphs, lines, links, tags and the outline. The layout is found here. Pages
 * are read once, in order, and become small blocks. After the last page, the headings are decided and the text is
 * written.
 */
import { setImmediate } from 'node:timers/promises';
import { ExtractionError } from './extraction-error.js';
import { formatBytes } from './format-bytes.js';
import type { PageBlocks } from './headings/find-headings.js';
import { KnownTitles } from './headings/known-titles.js';
import { paddedCharacters } from './markdown/markdown-table.js';
import type { PagedText, PageSpan } from './markdown/paged-text.js';
import { writePages } from './markdown/write-document.js';
import type { PageRecognizer } from './page-recognizer.js';
import { defaultPdfLimits, type PdfLimits } from './pdf-limits.js';
import { discardPdfium, isPdfiumFault, openPdf, type PdfDocument, type PdfProperties } from './pdfium-document.js';
import { readOutline } from './pdfium/read-outline.js';
import { DocumentReader } from './read-document.js';

export interface PdfOptions {
  /** The name for messages. */
  filename: string;
  limits?: PdfLimits;
  /** Without a recognizer, a page that is a picture has only the text that it contains. */
  recognizer?: (document: PdfDocument) => PageRecognizer;
}

export interface PdfText extends PdfProperties {
  markdown: string;
  pages: PageSpan[];
  pageCount: number;
}

const pagesBetweenPauses = 16;

/** @throws ExtractionError, or the reason of the signal */
export async function readPdf(bytes: Uint8Array, options: PdfOptions, signal?: AbortSignal): Promise<PdfText> {
  const { filename, limits = defaultPdfLimits } = options;
  const document = await openPdf(bytes, filename);
  try {
    const { properties, pageCount } = document;
    assertPages(pageCount, filename, limits);
    const recognizer = options.recognizer?.(document);
    const { markdown, pages } = await readText(document, filename, limits, recognizer, signal);
    document.close();
    const details = { ...properties.details, ...recognizer?.details() };
    return { ...properties, markdown, pages, pageCount, details };
  } catch (error) {
    if (isPdfiumFault(error)) discardPdfium();
    else document.close();
    throw error;
  }
}

function assertPages(pages: number, filename: string, { pagesMax }: PdfLimits): void {
  if (pages <= pagesMax) return;
  throw new ExtractionError(
    'file_too_large',
    `"${filename}" has ${pages} pages; PDFs are read up to ${pagesMax}. Split it into smaller files.`,
  );
}

async function readText(
  document: PdfDocument,
  filename: string,
  { outputBytesMax }: PdfLimits,
  recognizer: PageRecognizer | undefined,
  signal: AbortSignal | undefined,
): Promise<PagedText> {
  const reader = new DocumentReader(document, recognizer);
  const pages: PageBlocks[] = [];
  let letters = 0;
  try {
    for await (const page of reader.pages()) {
      // Without a pause, the process would not notice an abort.
      if (page.number % pagesBetweenPauses === 0) await setImmediate();
      signal?.throwIfAborted();
      pages.push(page);
      letters += lettersOf(page);
      if (letters > outputBytesMax) throw tooMuchText(filename, outputBytesMax);
    }
  } finally {
    reader.close();
  }
  return writePages(pages, reader.census, new KnownTitles(readOutline(document.pdfium, document.pointer)));
}

function lettersOf({ blocks }: PageBlocks): number {
  return blocks.reduce(
    (sum, block) => sum + (block.kind === 'text' ? block.letters : tableLetters(block.table.rows)),
    0,
  );
}

function tableLetters(rows: readonly string[][]): number {
  return (
    paddedCharacters(rows) + rows.reduce((sum, row) => sum + row.reduce((count, cell) => count + cell.length, 0), 0)
  );
}

/** The length is checked while pages are read, so that memory holds no more than the limit. */
function tooMuchText(filename: string, bytesMax: number): ExtractionError {
  return new ExtractionError(
    'file_too_large',
    `"${filename}" becomes more than ${formatBytes(bytesMax)} of markdown, which is the limit. Split it into smaller files.`,
  );
}
