import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import { segmentsOf } from '../words/rows.js';
import { alignedTables } from './aligned-table.js';

type Row = readonly (readonly [x: number, text: string])[];
function tablesOf(rows: readonly Row[], pitch = 14): string[][][] {
  const words = rows.flatMap((row, index) => row.flatMap(([x, text]) => placedWords(x, 100 + index * pitch, text)));
  return alignedTables(segmentsOf(words)).map(({ table }) => table.rows);
}
const filler = 'a line of prose that is as long as lines of a column are';

describe('alignedTables', () => {
  it('finds columns by the gaps that rows share, also where cells are empty', () => {
    expect(
      tablesOf([
        [
          [0, 'Code'],
          [100, 'Place'],
          [200, 'Count'],
        ],
        [
          [0, 'A1'],
          [200, '7'],
        ],
        [
          [100, 'B-07'],
          [200, '28'],
        ],
        [
          [0, 'C3'],
          [100, 'D-1'],
          [200, '9'],
        ],
      ]),
    ).toStrictEqual([
      [
        ['Code', 'Place', 'Count'],
        ['A1', '', '7'],
        ['', 'B-07', '28'],
        ['C3', 'D-1', '9'],
      ],
    ]);
  });

  it('joins the lines of a cell, which are closer than rows', () => {
    const words = [
      [100, 0, 'Clay'],
      [100, 100, 'a soft earth'],
      [112, 100, 'for potters'],
      [130, 0, 'Slip'],
      [130, 100, 'clay and water'],
      [148, 0, 'Glaze'],
      [148, 100, 'a skin of glass'],
      [160, 100, 'on the pot'],
    ].flatMap(([y, x, text]) => placedWords(Number(x), Number(y), String(text)));
    expect(alignedTables(segmentsOf(words))[0]?.table.rows).toStrictEqual([
      ['Clay', 'a soft earth for potters'],
      ['Slip', 'clay and water'],
      ['Glaze', 'a skin of glass on the pot'],
    ]);
  });

  it('joins a line with the row above, although it is as far away, if all rows begin with a key', () => {
    const booking = (day: string, text: string, sum: string): Row => [
      [0, day],
      [60, text],
      [200, sum],
    ];
    const more: Row = [[60, 'CARD 4411']];
    const head = booking('Date', 'Text', 'Sum');
    const rows = [head, booking('03/01', 'WIRE FEE', '9.10'), more, booking('03/02', 'CHECK 7', '5.00'), more];
    expect(tablesOf([...rows, booking('03/04', 'PAYROLL', '812.00')])).toStrictEqual([
      [
        ['Date', 'Text', 'Sum'],
        ['03/01', 'WIRE FEE CARD 4411', '9.10'],
        ['03/02', 'CHECK 7 CARD 4411', '5.00'],
        ['03/04', 'PAYROLL', '812.00'],
      ],
    ]);
  });

  it('takes rows of several lines, if the first column has one of them', () => {
    const row = (y: number, day: string, lines: readonly string[], sum: string): ReturnType<typeof placedWords> => [
      ...placedWords(0, y, day),
      ...lines.flatMap((line, index) => placedWords(60, y + index * 12, line)),
      ...placedWords(200, y, sum),
    ];
    const words = [
      ...row(100, '03/01', ['TRANSFER TO', 'A. POTTER FOR', 'A NEW KILN'], '9.10'),
      ...row(142, '03/02', ['PAYROLL OF', 'THE WORKSHOP', 'IN MARCH'], '812.00'),
    ];
    expect(alignedTables(segmentsOf(words)).map(({ table }) => table.rows)).toStrictEqual([
      [
        ['03/01', 'TRANSFER TO A. POTTER FOR A NEW KILN', '9.10'],
        ['03/02', 'PAYROLL OF THE WORKSHOP IN MARCH', '812.00'],
      ],
    ]);
  });

  it('ends where the columns change, and takes the names of columns above it', () => {
    const tables = tablesOf([
      [
        [100, 'Net'],
        [200, 'Gross'],
      ],
      [
        [0, 'Tea'],
        [100, '12,000 kg'],
        [200, '2'],
      ],
      [
        [0, 'Milk'],
        [100, '3'],
        [200, '4'],
      ],
      [[0, 'A title']],
      [
        [0, 'a'],
        [50, 'b'],
        [102, 'c'],
        [130, 'd'],
      ],
      [
        [0, 'e'],
        [50, 'f'],
        [102, '7'],
        [130, '8'],
      ],
    ]);
    expect(tables.map((rows) => rows[0])).toStrictEqual([
      ['', 'Net', 'Gross'],
      ['a', 'b', 'c', 'd'],
    ]);
  });

  it('puts the line below each row into the cell that it begins under, also where it is wider than the column', () => {
    const item = (number: number, name: string, total: string): Row => [
      [0, `${number}`],
      [40, name],
      [110, 'daily'],
      [160, total],
    ];
    const head: Row = [
      [0, 'No.'],
      [40, 'Title'],
      [110, 'Days'],
      [160, 'Total'],
    ];
    const detail = (text: string): Row => [[40, text]];
    const rows = [head, item(1, 'Glaze', '$3,000'), detail('(142 min); a premium show'), item(2, 'Slip', '$3,600')];
    const expected = [
      ['No.', 'Title', 'Days', 'Total'],
      ['1', 'Glaze (142 min); a premium show', 'daily', '$3,000'],
      ['2', 'Slip (98 min); a matinee today', 'daily', '$3,600'],
    ];
    const prose: Row = [[0, filler]];
    expect(tablesOf([...rows, detail('(98 min); a matinee today'), prose])).toStrictEqual([expected]);
    const notUnderCell: Row = [[52, '(142 min); a premium show']];
    expect(tablesOf(rows.with(2, notUnderCell))).not.toContainEqual(expect.arrayContaining([expected[1]]));
  });

  it('keeps lines that name groups of rows, if they are set as rows are', () => {
    const item = (name: string, price: string): Row => [
      [0, name],
      [60, 'each'],
      [120, price],
    ];
    const named = (group: Row): Row[] => [
      [
        [0, 'Item'],
        [60, 'Unit'],
        [120, 'Price'],
      ],
      [[0, 'Clays']],
      item('Slip', '3.20'),
      item('Terra', '4.10'),
      group,
      item('Glaze', '9.80'),
      [[12, 'Tools:']],
      item('Wheel', '840.00'),
    ];
    const rows = tablesOf(named([[0, 'Glazes and colours']]));
    expect(rows.map((table) => table.map(([first]) => first))).toStrictEqual([
      ['Item', 'Clays', 'Slip', 'Terra', 'Glazes and colours', 'Glaze', 'Tools:', 'Wheel'],
    ]);
    const larger = named([]).map((row, index) =>
      row.flatMap(([x, text]) => placedWords(x, 100 + index * 14, text, { size: text === 'Tools:' ? 13 : 10 })),
    );
    expect(alignedTables(segmentsOf(larger.flat())).flatMap(({ table }) => table.rows.flat())).not.toContain('Tools:');
  });

  it('does not take columns of prose, authors, lists, tables of contents or code for tables', () => {
    const authors: Row[] = [
      [
        [0, 'Ada Potter'],
        [100, 'Ben Glazer'],
        [200, 'Cy Clay'],
      ],
      [
        [0, 'Zurich'],
        [100, 'Delft'],
        [200, 'Stockholm'],
      ],
    ];
    expect(tablesOf(authors)).toStrictEqual([]);
    const four = <Item>(item: (index: number) => Item): Item[] => [0, 1, 2, 3].map(item);
    expect(
      tablesOf(
        four(() => [
          [0, filler],
          [400, filler],
        ]),
      ),
    ).toStrictEqual([]);
    expect(
      tablesOf(
        four((index) => [
          [0, `${index}.`],
          [30, 'an item'],
        ]),
      ),
    ).toStrictEqual([]);
    expect(
      tablesOf(
        four((index) => [
          [0, `Chapter ${index} . . . . . . . . . .`],
          [400, `${index}7`],
        ]),
      ),
    ).toStrictEqual([]);
    const code = four((index) => [
      ...placedWords(0, 100 + index * 12, 'return x;', { isMono: true }),
      ...placedWords(200, 100 + index * 12, '// why', { isMono: true }),
    ]).flat();
    expect(alignedTables(segmentsOf(code))).toStrictEqual([]);
  });
});
