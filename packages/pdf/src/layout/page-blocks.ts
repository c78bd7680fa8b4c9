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
import { joinColumns } from './join-columns.js';
import { type Piece, tablePieces } from './page-pieces.js';
import { type ParagraphContext, paragraphsOf } from './paragraphs.js';
import { linesOf } from './text-lines.js';

/** The blocks, and where their text stands, both in reading order. */
export interface PageLayout {
  blocks: Block[];
  pieces: Piece[];
}

type WordsOfTables = ReadonlyMap<Table, readonly Word[]>;

export function pageBlocks(
  page: PageContent,
  running: ReadonlySet<Word>,
  options: Pick<ParagraphContext, 'joiner' | 'readsCode'>,
): PageLayout {
  const content = running.size === 0 ? page : { ...page, words: page.words.filter((word) => !running.has(word)) };
  const { tables, words, turned, wordsOfTables } = markedTables(content);
  const context: ParagraphContext = { ...options, structure: page.structure, pieces: [], begunItems: new Set() };
  const items: Item[] = [...segmentsOf(words), ...tables];
  const isReversed = isRightToLeft(page.words);
  const regions = regionsOf(items, isReversed).map((region) => regionBlocks(region, wordsOfTables, context));
  const blocks = joinColumns(regions, options.joiner);
  // The first column of a right-to-left table is on the right.
  for (const block of isReversed ? blocks : [])
    if (block.kind === 'table' && block.table.columnEdges.length > 0) for (const row of block.table.rows) row.reverse();
  for (const line of turned) {
    blocks.push(turnedBlock(line.text.trim(), line.size, line));
    context.pieces.push(line);
  }
  return { blocks, pieces: context.pieces };
}

function regionBlocks(items: readonly Item[], wordsOfTables: WordsOfTables, context: ParagraphContext): Block[] {
  const tables = items.filter((item): item is Table => !('words' in item));
  const segments = items.filter((item): item is Segment => 'words' in item);
  const inTables = new Set<Word>();
  const wordsOf = new Map(wordsOfTables);
  for (const found of alignedTables(segments)) {
    tables.push(found.table);
    wordsOf.set(found.table, [...found.words]);
    for (const word of found.words) inTables.add(word);
  }
  tables.sort((first, second) => first.top - second.top);
  const lines = linesOf(segments.filter(({ words: [first] }) => first !== undefined && !inTables.has(first)));
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
    context.pieces.push(...tablePieces(wordsOf.get(table) ?? []));
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
