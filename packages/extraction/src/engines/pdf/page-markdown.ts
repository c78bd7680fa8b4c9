import type { ParsedPage } from '@llamaindex/liteparse';
import { escapePlainText } from '../../text/escape-plain-text.js';
import { linkTarget } from '../../text/link-target.js';
import type { FoundHeading } from './find-headings.js';
import { markHeadings } from './mark-headings.js';
import type { PdfDocument } from './pdfium-document.js';

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/g;
/** A page with at least this share of right-to-left letters is read from right to left. */
const rightToLeftShare = 0.3;

/** The markdown of one page, without marks that describe only its layout. */
export function pageMarkdown(page: ParsedPage, document: PdfDocument, headings: readonly FoundHeading[]): string {
  if (isRightToLeft(page.text)) return escapePlainText(document.pageText(page.pageNum));
  const markdown = page.markdown
    // liteparse returns an empty fence for an empty page.
    .replace(/^```\w*\n\s*```$/gm, '')
    // Joins adjacent bold runs, which were one run on the page.
    .replace(/(?<=\S)\*\* \*\*(?=\S)/g, ' ')
    // Addresses of links are untrusted.
    .replace(/\]\(<((?:[^\n>\]]|>(?!\))|\](?!\(<))*)>\)/g, (link, address: string) => {
      const target = linkTarget(address);
      return target === null ? `\\${link}` : `](${target})`;
    });
  return escapePlainText(markHeadings(markdown, headings));
}

function isRightToLeft(text: string): boolean {
  const found = text.match(rightToLeft)?.length ?? 0;
  return found > 20 && found > (text.match(/\p{L}/gu)?.length ?? 0) * rightToLeftShare;
}
