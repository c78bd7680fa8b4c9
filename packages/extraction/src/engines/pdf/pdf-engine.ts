/**
 * Converts PDF to markdown. pdfium opens the file first: it distinguishes encrypted files from damaged ones, and reads the
 * properties. liteparse finds the layout: headings, lists, tables, reading order. It returns right-to-left pages in visual
 * order, so their text comes from pdfium.
 */
import { readFile } from 'node:fs/promises';
import { LiteParse, type ParsedPage } from '@llamaindex/liteparse';
import { ExtractionError } from '../../extraction-error.js';
import { cleanText } from '../../text/decode-text.js';
import type { Engine, EngineInput } from '../engine.js';
import { corruptFile } from '../engine-failure.js';
import { PagedText } from '../paged-text.js';
import { findHeadings } from './find-headings.js';
import { pageMarkdown } from './page-markdown.js';
import { openPdf } from './pdfium-document.js';

/** The number of pages per call, because liteparse keeps the position of every word of them in memory. */
const batchPages = 200;
/** A folder that does not exist. OCR is off, so no model is needed, and none must be downloaded. */
const tessdataPath = '/nonexistent';

export const extractPdf: Engine = async (input, signal) => {
  const bytes = await readFile(input.path);
  const document = await openPdf(bytes, input.filename);
  try {
    assertPages(document.pageCount, input);
    const text = new PagedText();
    for await (const pages of parsedBatches(bytes, input.filename, signal)) {
      const headings = findHeadings(pages);
      for (const page of pages)
        text.add(page.pageNum, cleanText(pageMarkdown(page, document, headings.get(page.pageNum) ?? [])).trim());
    }
    const { properties } = document;
    return {
      markdown: text.markdown,
      pages: text.pages,
      pageCount: document.pageCount,
      title: properties.title,
      author: properties.author,
      language: null,
      details: properties.details,
    };
  } finally {
    document.close();
  }
};

function assertPages(pages: number, { filename, limits }: EngineInput): void {
  if (pages <= limits.pagesMax) return;
  throw new ExtractionError(
    'file_too_large',
    `"${filename}" has ${pages} pages; PDFs are read up to ${limits.pagesMax}. Split it into smaller files.`,
  );
}

async function* parsedBatches(bytes: Uint8Array, filename: string, signal: AbortSignal): AsyncGenerator<ParsedPage[]> {
  // Gets bytes: given a path, it decides by the extension, and the file may have none.
  const parser = new LiteParse({
    ocrEnabled: false,
    tessdataPath,
    outputFormat: 'markdown',
    imageMode: 'off',
    quiet: true,
    numWorkers: 1,
    maxPages: 1_000_000,
    continueOnPageError: true,
    extractTextMetadata: true,
  });
  try {
    for await (const batch of parser.parseBatches(bytes, { batchSize: batchPages })) {
      signal.throwIfAborted();
      yield batch.result.pages;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw corruptFile('pdf', filename, error);
  }
}
