import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import type { Word } from '../page-model.js';
import { segmentsOf } from '../words/rows.js';
import { alignedTables } from './aligned-table.js';

/** A row whose texts end at 40, 140, 240 and 340. */
const row = (y: number, ...texts: string[]): Word[] =>
  texts.flatMap((text, column) =>
    text === '' ? [] : placedWords(40 + column * 100 - text.length * 5, y, text.replaceAll(' ', '_')),
  );
const values = [...row(134, 'May', '320', '38', '73'), ...row(148, 'June', '360', '33', '89')];
const headsOf = (...words: Word[][]): string[][] | undefined =>
  alignedTables(segmentsOf([...words.flat(), ...values]))[0]?.table.rows.slice(0, -2);

describe('the head of a table', () => {
  it('joins the lines of names that end on the line of the other names', () => {
    expect(headsOf(row(106, '', 'Heat', 'Price', ''), row(118, 'Month', 'in kWh', 'of one', 'Sum'))).toStrictEqual([
      ['Month', 'Heat in_kWh', 'Price of_one', 'Sum'],
    ]);
  });

  it('keeps a name of several columns, and values, in rows of their own', () => {
    const names = row(118, 'Month', 'Heat', 'Price', 'Sum');
    expect(headsOf(placedWords(165, 106, '2024'), placedWords(320, 106, 'Net'), names)).toHaveLength(2);
    expect(headsOf(row(106, '', '128', '29', '39'), row(118, 'April', '118', '37', '104'))).toHaveLength(2);
  });
});
