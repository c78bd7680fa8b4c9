/**
 * Converts PDF to markdown. pdfium reads glyphs, lines, links, tags and the outline; the layout is found here. Pages are read
 * once, in order, and become blocks, which are small. When all pages are read, the headings are decided and the text is written.
 */
import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { ExtractionError } from '../../extraction-error.js';
import { formatBytes } from '../../limits.js';
import { paddedCharacters } from '../../text/markdown-table.js';
import type { Engine, EngineInput, EngineOutput } from '../engine.js';
import type { PagedText } from '../paged-text.js';
import type { PageBlocks } from './headings/find-headings.js';
import { KnownTitles } from './headings/known-titles.js';
import { writePages } from './markdown/write-document.js';
import { discardPdfium, isPdfiumFault, openPdf, type PdfDocument } from './pdfium-document.js';
import { readOutline } from './pdfium/read-outline.js';
import { DocumentReader } from './read-document.js';
import { assertNoLargeScan, PageRecognizer } from './recognize-pages.js';

const pagesBetweenPauses = 16;

export const extractPdf: Engine = async (input, signal) => {
  const document = await openPdf(await readFile(input.path), input.filename);
  try {
    assertPages(document.pageCount, input);
    assertNoLargeScan(document, input);
    const output = await outputOf(document, input, signal);
    document.close();
    return output;
  } catch (error) {
    if (isPdfiumFault(error)) discardPdfium();
    else document.close();
    throw error;
  }
};

async function outputOf(document: PdfDocument, input: EngineInput, signal: AbortSignal): Promise<EngineOutput> {
  const { properties, pageCount } = document;
  const recognizer = new PageRecognizer(document, input);
  const { markdown, pages } = await readText(document, input, recognizer, signal);
  const { title, author, details } = properties;
  return {
    markdown,
    pages,
    pageCount,
    title,
    author,
    language: null,
    details: { ...details, ...ocrDetails(recognizer) },
  };
}

/** None for a document without pages that are pictures. */
function ocrDetails({ recognized, leftOut }: PageRecognizer): Record<string, number> {
  return {
    ...(recognized === 0 ? {} : { ocr_pages: recognized }),
    ...(leftOut === 0 ? {} : { ocr_pages_left_out: leftOut }),
  };
}

function assertPages(pages: number, { filename, limits }: EngineInput): void {
  if (pages <= limits.pagesMax) return;
  throw new ExtractionError(
    'file_too_large',
    `"${filename}" has ${pages} pages; PDFs are read up to ${limits.pagesMax}. Split it into smaller files.`,
  );
}

async function readText(
  document: PdfDocument,
  { filename, limits }: EngineInput,
  recognizer: PageRecognizer,
  signal: AbortSignal,
): Promise<PagedText> {
  const reader = new DocumentReader(document, recognizer);
  const pages: PageBlocks[] = [];
  let letters = 0;
  try {
    for await (const page of reader.pages()) {
      // Without a pause, no abort would be noticed.
      if (page.number % pagesBetweenPauses === 0) await setImmediate();
      signal.throwIfAborted();
      pages.push(page);
      letters += lettersOf(page);
      if (letters > limits.outputBytesMax) throw tooMuchText(filename, limits.outputBytesMax);
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

/** Checked while pages are read, so that memory holds no more than the limit. */
function tooMuchText(filename: string, bytesMax: number): ExtractionError {
  return new ExtractionError(
    'file_too_large',
    `"${filename}" becomes more than ${formatBytes(bytesMax)} of markdown, which is the limit. Split it into smaller files.`,
  );
}
