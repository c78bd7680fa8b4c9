import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import type { TaggedTable, Word } from '../page-model.js';
import { taggedTable, wordsByContentId } from './tagged-table.js';

type Cell = readonly [x: number, text: string, columns?: number];

/** The table of tags in which empty cells are missing. */
function rowsOf(rows: readonly (readonly Cell[])[]): string[][] | undefined {
  const words: Word[] = [];
  const table: TaggedTable = {
    rows: rows.map((row, down) =>
      row.map(([x, text, columns = 1]) => {
        const contentId = words.length;
        words.push(...placedWords(x, 100 + down * 14, text).map((word) => ({ ...word, contentId })));
        return { contentIds: [contentId], columns, rows: 1 };
      }),
    ),
  };
  return taggedTable(table, wordsByContentId(words))?.table.rows;
}
const amount = (right: number, text: string): Cell => [right - text.length * 5, text];
const head: Cell[] = [[0, 'Text'], amount(150, 'Debit'), amount(200, 'Credit'), amount(260, 'Balance')];

describe('a tagged table without tags for its empty cells', () => {
  it('has each value in the column where it stands', () => {
    expect(
      rowsOf([
        head,
        [[0, 'Rent'], amount(150, '780.00'), amount(260, '1,220.00')],
        [[0, 'Pay'], amount(200, '2,000.00'), amount(260, '3,220.00')],
        [amount(260, '3,220.00')],
      ]),
    ).toStrictEqual([
      ['Text', 'Debit', 'Credit', 'Balance'],
      ['Rent', '780.00', '', '1,220.00'],
      ['Pay', '', '2,000.00', '3,220.00'],
      ['', '', '', '3,220.00'],
    ]);
  });

  it('has the names of several columns above them', () => {
    const names: Cell[] = [[140, '2024', 2]];
    expect(rowsOf([names, head, [[0, 'Rent'], amount(150, '780.00'), amount(260, '1,220.00')]])?.[0]).toStrictEqual([
      '',
      '2024',
      '2024',
      '',
    ]);
  });

  it('begins on the left if no row has all cells', () => {
    expect(rowsOf([[[0, 'a', 2]], [[0, 'b']]])).toStrictEqual([
      ['a', 'a'],
      ['b', ''],
    ]);
  });
});
