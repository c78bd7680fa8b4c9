/** Converts the content of a page into blocks in reading order. */
import type { PageContent, Word } from '../page-model.js';
import { escapeInline } from '../markdown/escape-markdown.js';
import { alignedTables } from '../tables/aligned-table.js';
import { markedTables } from '../tables/page-tables.js';
import type { Table } from '../tables/table.js';
import { boundsOf, type Segment, segmentsOf } from '../words/rows.js';
import { isRightToLeft } from '../words/scripts.js';
import type { Block, TextBlock } from './block.js';
import { type Item, regionsOf } from './columns.js';
import { type ParagraphContext, paragraphsOf } from './paragraphs.js';
import { linesOf } from './text-lines.js';

export function pageBlocks(
  page: PageContent,
  running: ReadonlySet<Word>,
  context: Omit<ParagraphContext, 'structure'>,
): Block[] {
  const content = running.size === 0 ? page : { ...page, words: page.words.filter((word) => !running.has(word)) };
  const { tables, words, turned } = markedTables(content);
  const items: Item[] = [...segmentsOf(words), ...tables];
  const isReversed = isRightToLeft(page.words);
  const blocks = regionsOf(items, isReversed).flatMap((region) =>
    regionBlocks(region, { ...context, structure: page.structure }),
  );
  // The first column of a right-to-left table is on the right.
  for (const block of isReversed ? blocks : [])
    if (block.kind === 'table' && block.table.columnEdges.length > 0) for (const row of block.table.rows) row.reverse();
  for (const line of turned) blocks.push(turnedBlock(line.text.trim(), line.size, line));
  return blocks;
}

function regionBlocks(items: readonly Item[], context: ParagraphContext): Block[] {
  const tables = items.filter((item): item is Table => !('words' in item));
  const segments = items.filter((item): item is Segment => 'words' in item);
  const inTables = new Set<Segment>();
  for (const found of alignedTables(segments)) {
    tables.push(found.table);
    for (const segment of found.segments) inTables.add(segment);
  }
  tables.sort((first, second) => first.top - second.top);
  const lines = linesOf(segments.filter((segment) => !inTables.has(segment)));
  const blocks: Block[] = [];
  const { left, right } = boundsOf(items);
  const width = right - left;
  let from = 0;
  for (const table of tables) {
    let to = from;
    const middle = (table.top + table.bottom) / 2;
    while (to < lines.length && (lines[to]?.baseline ?? Infinity) <= middle) to++;
    blocks.push(...paragraphsOf(lines.slice(from, to), context, { above: blocks.length > 0, below: true, width }));
    blocks.push({ kind: 'table', table });
    from = to;
  }
  return [...blocks, ...paragraphsOf(lines.slice(from), context, { above: blocks.length > 0, below: false, width })];
}

function turnedBlock(text: string, size: number, box: Pick<TextBlock, 'left' | 'top' | 'right' | 'bottom'>): TextBlock {
  const { left, top, right, bottom } = box;
  return {
    kind: 'text',
    left,
    top,
    right,
    bottom,
    markdown: escapeInline(text.replace(/\s+/g, ' ')),
    plain: '',
    letters: text.length,
    lines: 1,
    size,
    isBold: false,
    isItalic: false,
    code: null,
    gapAbove: Infinity,
    gapBelow: Infinity,
    widthShare: 1,
    isEntry: false,
    headsText: false,
    taggedLevel: null,
  };
}
