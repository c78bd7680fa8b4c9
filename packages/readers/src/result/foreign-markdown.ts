// Markdown from an extractor of a third party, sanitized like the text of a model.
import { cleanText } from '@kiln/pdf/clean-text';
import { PagedText } from '@kiln/pdf/markdown/paged-text';
import { escapePlainText } from '../text/escape-plain-text.js';

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

function lineOf(text: string | null): string | null {
  const line = cleanText(text ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  return line === '' ? null : line;
}
