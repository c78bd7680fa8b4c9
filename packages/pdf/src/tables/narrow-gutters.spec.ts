import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import { segmentsOf } from '../words/rows.js';
import { alignedTables } from './aligned-table.js';

type Row = readonly (readonly [x: number, text: string])[];
const tablesOf = (rows: readonly Row[]): string[][][] =>
  alignedTables(
    segmentsOf(rows.flatMap((row, index) => row.flatMap(([x, text]) => placedWords(x, 100 + index * 14, text)))),
  ).map(({ table }) => table.rows);

/** A name, and an amount that ends at 130. */
const row = (name: string, amount: string, unit: string, gap = 6): Row => [
  [0, name],
  [130 - amount.length * 5, amount],
  [130 + gap, unit],
];
const total: Row = [
  [0, 'Sum'],
  [200, '820.00'],
];

describe('a gap within a column that is wider than a space', () => {
  it('divides the column if all rows share it', () => {
    const rows = [row('Clay', '12', 'kg'), row('Slip', '7', 'litres'), row('Bricks', '340', 'pieces')];
    const sums = ['55.00', '15.00', '750.00'];
    const whole = rows.map((cells, index): Row => [...cells, [200, sums[index] ?? '']]);
    expect(tablesOf([...whole, total])).toStrictEqual([
      [
        ['Clay', '12', 'kg', '55.00'],
        ['Slip', '7', 'litres', '15.00'],
        ['Bricks', '340', 'pieces', '750.00'],
        ['Sum', '', '', '820.00'],
      ],
    ]);
  });

  it('does not divide it between a sign and its amount, or if a row has text there', () => {
    const signs = [row('Clay', '€', '12.00'), row('Slip', '€', '7.00'), row('Bricks', '€', '340.00')];
    expect(tablesOf(signs)[0]?.map((cells) => cells.length)).toStrictEqual([2, 2, 2]);
    const texts = [row('Clay', '12', 'kg'), row('Slip', '7', 'litres'), row('Bricks', '340', 'pieces', 3)];
    expect(tablesOf(texts)[0]?.map((cells) => cells.length)).toStrictEqual([2, 2, 2]);
  });
});
