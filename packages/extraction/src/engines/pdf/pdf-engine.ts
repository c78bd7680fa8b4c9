/**
 * Converts PDF to markdown. pdfium reads glyphs, lines, links, tags and the outline; the layout is found here. Pages are read
 * once, in order, and become blocks, which are small. When all pages are read, the headings are decided and the text is written.
 */
import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { ExtractionError } from '../../extraction-error.js';
import { cleanText } from '../../text/decode-text.js';
import { formatBytes } from '../../limits.js';
import { paddedCharacters } from '../../text/markdown-table.js';
import type { Engine, EngineInput, EngineOutput } from '../engine.js';
import { PagedText } from '../paged-text.js';
import { findHeadings, type PageBlocks } from './headings/find-headings.js';
import type { Block, TextBlock } from './layout/block.js';
import { KnownTitles } from './headings/known-titles.js';
import { continuedRows } from './markdown/join-tables.js';
import { tableRows, writeBlocks } from './markdown/write-page.js';
import { discardPdfium, isPdfiumFault, openPdf, type PdfDocument } from './pdfium-document.js';
import { readOutline } from './pdfium/read-outline.js';
import { DocumentReader } from './read-document.js';

const pagesBetweenPauses = 16;

export const extractPdf: Engine = async (input, signal) => {
  const document = await openPdf(await readFile(input.path), input.filename);
  try {
    assertPages(document.pageCount, input);
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
  const { markdown, pages } = await readText(document, input, signal);
  const { title, author, details } = properties;
  return { markdown, pages, pageCount, title, author, language: null, details };
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
  signal: AbortSignal,
): Promise<PagedText> {
  const reader = new DocumentReader(document);
  const pages: PageBlocks[] = [];
  let letters = 0;
  try {
    for (const page of reader.pages()) {
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
  const body = reader.census.body();
  const titles = new KnownTitles(readOutline(document.pdfium, document.pointer));
  const levels = body === null ? new Map<TextBlock, number>() : findHeadings(pages, body, titles);
  return writePages(pages, levels);
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

function writePages(pages: readonly PageBlocks[], levels: ReadonlyMap<TextBlock, number>): PagedText {
  const text = new PagedText();
  let before: readonly Block[] = [];
  for (const { number, blocks } of pages) {
    const continued = continuedRows(before, blocks);
    if (blocks.length > 0) before = blocks;
    const rest = cleanText(writeBlocks(continued === null ? blocks : blocks.slice(1), levels)).trim();
    if (continued === null) text.add(number, rest);
    else text.add(number, [cleanText(tableRows(continued)), rest].filter((part) => part !== '').join('\n\n'), '\n');
  }
  return text;
}
