import { cleanText } from '../clean-text.js';
import { PagedText } from './paged-text.js';
import { findHeadings, type PageBlocks } from '../headings/find-headings.js';
import type { KnownTitles } from '../headings/known-titles.js';
import type { StyleCensus } from '../headings/style-census.js';
import type { Block, TextBlock } from '../layout/block.js';
import { continuedRows } from './join-tables.js';
import { placePieces } from './place-pieces.js';
import { tableRows, writeBlocks } from './write-page.js';

/** Their places take at most 10 MiB as JSON. Later pages have none. */
const piecesMax = 250_000;

/** The markdown of a document. `census` has counted the blocks of all pages. */
export function writePages(pages: readonly PageBlocks[], census: StyleCensus, titles: KnownTitles): PagedText {
  const body = census.body();
  const levels = body === null ? new Map<TextBlock, number>() : findHeadings(pages, body, titles);
  const text = new PagedText();
  let before: readonly Block[] = [];
  let piecesLeft = piecesMax;
  for (const { number, blocks, shown } of pages) {
    const continued = continuedRows(before, blocks);
    if (blocks.length > 0) before = blocks;
    const rest = cleanText(writeBlocks(continued === null ? blocks : blocks.slice(1), levels)).trim();
    const written =
      continued === null ? rest : [cleanText(tableRows(continued)), rest].filter((part) => part !== '').join('\n\n');
    const span = text.add(number, written, continued === null ? undefined : '\n');
    if (shown === null || piecesLeft <= 0) continue;
    const placed = placePieces(written, shown.pieces, span.start);
    Object.assign(span, { width: shown.width, height: shown.height, lines: placed });
    piecesLeft -= placed.length;
  }
  return text;
}
