import type { ParsedPage } from '@llamaindex/liteparse';
import type { FoundHeading } from './find-headings.js';
import { markHeadings } from './mark-headings.js';
import type { PdfDocument } from './pdfium-document.js';

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/g;
/** Share of a page's letters from which on it is read as right-to-left. */
const rightToLeftShare = 0.3;

/** The markdown of one page, without the marks that only stand for its shape. */
export function pageMarkdown(page: ParsedPage, document: PdfDocument, headings: readonly FoundHeading[]): string {
  if (isRightToLeft(page.text)) return document.pageText(page.pageNum);
  const markdown = page.markdown
    // An empty page arrives as an empty fence.
    .replace(/^```\w*\n\s*```$/gm, '')
    // Two adjacent runs of the same weight were one run on the page.
    .replace(/(?<=\S)\*\* \*\*(?=\S)/g, ' ');
  return markHeadings(markdown, headings);
}

function isRightToLeft(text: string): boolean {
  const found = text.match(rightToLeft)?.length ?? 0;
  return found > 20 && found > (text.match(/\p{L}/gu)?.length ?? 0) * rightToLeftShare;
}
