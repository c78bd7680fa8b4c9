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

export function foreignMarkdown({ texts, hasPages, title, author }: ForeignText) {
  const paged = new PagedText();
  for (const [index, text] of texts.entries()) paged.add(index + 1, escapePlainText(cleanText(text)).trim());
  const pages = hasPages ? paged.pages : null;
  return { markdown: paged.markdown, pages, title: lineOf(title), author: lineOf(author) };
}

/** @throws ExtractionError file_too_large */
export function writeForeignText(
  input: ExtractionInput,
  text: ForeignText,
  outputBytesMax: number,
): Promise<ExtractionOutput> {
  const found = foreignMarkdown(text);
  const { language } = text;
  return writeExtraction(
    input,
    { ...found, pageCount: found.pages?.length ?? null, language, details: {} },
    outputBytesMax,
  );
}

function lineOf(text: string | null): string | null {
  const line = cleanText(text ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  return line === '' ? null : line;
}
