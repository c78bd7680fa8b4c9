import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import { segmentsOf } from '../words/rows.js';
import { alignedTables } from './aligned-table.js';

type Row = readonly (readonly [x: number, text: string])[];
const tablesOf = (rows: readonly Row[]): string[][][] =>
  alignedTables(
    segmentsOf(rows.flatMap((row, index) => row.flatMap(([x, text]) => placedWords(x, 100 + index * 14, text)))),
  ).map(({ table }) => table.rows);

const label = (text: string, value: string): Row => [
  [0, text],
  [60, value],
];

describe('a row that leaves only a narrow gap', () => {
  it('is divided where the other rows have their gutter', () => {
    const rows = [
      label('Date:', 'today'),
      label('Place:', 'Kiln room'),
      label('Chair:', 'Ada'),
      label('Present at:', 'nine'),
    ];
    expect(tablesOf(rows)).toStrictEqual([
      [
        ['Date:', 'today'],
        ['Place:', 'Kiln room'],
        ['Chair:', 'Ada'],
        ['Present at:', 'nine'],
      ],
    ]);
  });

  it('names the columns if it is a head', () => {
    const head: Row = [
      [0, 'Option'],
      [100, 'Default'],
      [141, 'Meaning'],
    ];
    const option = (name: string, value: string, meaning: string): Row => [
      [0, name],
      [100, value],
      [141, meaning],
    ];
    const tables = tablesOf([
      head,
      option('--jobs', '4', 'processes'),
      option('--output', '-', 'a file'),
      option('--trace', '0', 'a level'),
    ]);
    expect(tables[0]?.[0]).toStrictEqual(['Option', 'Default', 'Meaning']);
  });

  it('is one text if its parts are not aligned with the columns', () => {
    const rows = [label('Date:', 'today'), label('Place:', 'Kiln room'), label('Chair:', 'Ada')];
    const text: Row = [
      [0, 'A line'],
      [36, 'of text'],
    ];
    expect(tablesOf([...rows, text])).toStrictEqual([rows.map((row) => row.map(([, cell]) => cell))]);
  });
});
