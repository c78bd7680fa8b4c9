import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import { LineJoiner } from '../markdown/join-lines.js';
import type { PageContent, TaggedTable } from '../page-model.js';
import { pageBlocks } from './page-blocks.js';

const rows = [
  ['ערך', 'שם'],
  ['סכום', 'תאריך'],
];
const contentId = (row: number, column: number): number => row * 2 + column;
const words = rows.flatMap((row, down) =>
  row.flatMap((text, across) =>
    placedWords(across === 0 ? 50 : 300, 100 + down * 20, text).map((word) => ({
      ...word,
      contentId: contentId(down, across),
    })),
  ),
);
const rule = (isHorizontal: boolean, at: number, from: number, to: number) => ({ isHorizontal, at, from, to });
const grid = [
  ...[85, 105, 125].map((y) => rule(true, y, 40, 500)),
  ...[40, 280, 500].map((x) => rule(false, x, 85, 125)),
];
/** The cells in reading order. The first one is on the right. */
const tagged: TaggedTable = {
  rows: rows.map((row, down) =>
    row.map((_, across) => ({ contentIds: [contentId(down, across)], rows: 1, columns: 1 })).toReversed(),
  ),
};

function tablesOf(content: Pick<PageContent, 'rules' | 'structure'>): string[][][] {
  const page: PageContent = { width: 600, height: 800, words, rotation: 0, turned: [], ...content };
  const { blocks } = pageBlocks(page, new Set(), { joiner: new LineJoiner(), readsCode: true });
  return blocks.flatMap((block) => (block.kind === 'table' ? [block.table.rows] : []));
}

describe('the tables of a right-to-left page', () => {
  const expected = [
    ['שם', 'ערך'],
    ['תאריך', 'סכום'],
  ];

  it('begin with their right column', () => {
    expect(tablesOf({ rules: grid, structure: null })).toStrictEqual([expected]);
  });

  it('have the columns in the order of their tags, if they have tags', () => {
    const structure = { tables: [tagged], headings: new Map<number, number>() };
    expect(tablesOf({ rules: grid, structure })).toStrictEqual([expected]);
  });
});
