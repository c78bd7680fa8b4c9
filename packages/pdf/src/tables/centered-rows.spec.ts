import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import type { Word } from '../page-model.js';
import { segmentsOf } from '../words/rows.js';
import { alignedTables } from './aligned-table.js';

const item = (y: number, lines: readonly string[], count: string, price: string): Word[] => [
  ...lines.flatMap((line, index) => placedWords(0, y + index * 12, line)),
  ...[count, price].flatMap((text, index) =>
    placedWords(200 + index * 60 - text.length * 5, y + (lines.length - 1) * 6, text),
  ),
];
const tablesOf = (words: readonly Word[]): string[][][] =>
  alignedTables(segmentsOf(words)).map(({ table }) => table.rows);

describe('rows whose cells are centered', () => {
  it('are rows of the table, whatever the number of their lines', () => {
    const words = [
      ...item(100, ['Name'], 'Count', 'Price'),
      ...item(120, ['Kiln', 'with two chambers'], '1', '4200.00'),
      ...item(152, ['Bricks'], '340', '3.50'),
      ...item(172, ['Training', 'of six potters in', 'the workshop'], '2', '600.00'),
    ];
    expect(tablesOf(words)).toStrictEqual([
      [
        ['Name', 'Count', 'Price'],
        ['Kiln with two chambers', '1', '4200.00'],
        ['Bricks', '340', '3.50'],
        ['Training of six potters in the workshop', '2', '600.00'],
      ],
    ]);
  });

  it('are not dense rows in which a column has fewer values than others', () => {
    const words = [
      ...item(100, ['Name'], 'Count', 'Price'),
      ...item(112, ['Kiln'], '1', '42.00'),
      ...item(124, ['Bricks'], '340', '3.50'),
      ...placedWords(0, 136, 'Sum'),
      ...placedWords(225, 136, '45.50'),
    ];
    expect(tablesOf(words)[0]).toHaveLength(4);
  });
});
