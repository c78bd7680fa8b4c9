import { cleanText } from '../clean-text.js';
import { PagedText } from './paged-text.js';
import { findHeadings, type PageBlocks } from '../headings/find-headings.js';
import type { KnownTitles } from '../headings/known-titles.js';
import type { StyleCensus } from '../headings/style-census.js';
import type { Block, TextBlock } from '../layout/block.js';
import { continuedRows } from './join-tables.js';
import { tableRows, writeBlocks } from './write-page.js';

/** The markdown of a document. `census` has counted the blocks of all pages. */
export function writePages(pages: readonly PageBlocks[], census: StyleCensus, titles: KnownTitles): PagedText {
  const body = census.body();
  const levels = body === null ? new Map<TextBlock, number>() : findHeadings(pages, body, titles);
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
