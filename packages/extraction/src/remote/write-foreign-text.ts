// Writes markdown that a stranger's extractor has made, sanitized like the text of a model.
import { PagedText } from '../engines/paged-text.js';
import type { ExtractionInput, ExtractionOutput } from '../extractor.js';
import { cleanText } from '../text/decode-text.js';
import { escapePlainText } from '../text/escape-plain-text.js';
import { writeExtraction } from './write-extraction.js';

export interface ForeignText {
  /** The text of each page, or one text of a file without pages. */
  texts: readonly string[];
  hasPages: boolean;
  title: string | null;
  author: string | null;
  language: string | null;
}

/** @throws ExtractionError file_too_large */
export function writeForeignText(
  input: ExtractionInput,
  { texts, hasPages, title, author, language }: ForeignText,
  outputBytesMax: number,
): Promise<ExtractionOutput> {
  const pages = new PagedText();
  for (const [index, text] of texts.entries()) pages.add(index + 1, escapePlainText(cleanText(text)).trim());
  const found = { markdown: pages.markdown, title: lineOf(title), author: lineOf(author), language, details: {} };
  const spans = hasPages ? pages.pages : null;
  return writeExtraction(input, { ...found, pages: spans, pageCount: spans?.length ?? null }, outputBytesMax);
}

function lineOf(text: string | null): string | null {
  const line = cleanText(text ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  return line === '' ? null : line;
}
