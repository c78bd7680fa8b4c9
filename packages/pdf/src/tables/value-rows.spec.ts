import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import { valueRows } from './value-rows.js';

/** The words of a cell whose lines are 12 apart. */
const cell = (x: number, lines: readonly string[]) =>
  lines.flatMap((line, index) => placedWords(x, 100 + index * 12, line));
const texts = (rows: ReturnType<typeof valueRows>): string[][] | undefined =>
  rows?.map((row) => row.map((words) => words.map(({ text }) => text).join(' ')));
const [names, prices] = [
  ['Brick', 'Fibre board', 'Iron'],
  ['12', '7', '140'],
];
const rights = [200, 300, 560];

describe('valueRows', () => {
  it('divides cells whose values stand beside each other on every line', () => {
    const notes = ['Lasts for years of firing', 'Light, breaks easily when wet', 'Only for the door'];
    expect(texts(valueRows([cell(0, names), cell(210, prices), cell(310, notes)], rights))).toStrictEqual([
      ['Brick', '12', 'Lasts for years of firing'],
      ['Fibre board', '7', 'Light, breaks easily when wet'],
      ['Iron', '140', 'Only for the door'],
    ]);
  });

  it('leaves the lines of longer texts together', () => {
    const text = ['The walls of a kiln that is', 'fired every week are of brick,', 'which lasts for many years'];
    expect(valueRows([cell(0, ['Brick']), cell(210, ['12']), cell(310, text)], rights)).toBeNull();
    expect(valueRows([cell(0, text), cell(210, text), cell(420, text)], [141, 351, 561])).toBeNull();
  });

  it('leaves two addresses and the items of lists together', () => {
    expect(valueRows([cell(0, names), cell(210, names)], rights)).toBeNull();
    const items = names.map((name) => `• ${name}`);
    expect(valueRows([cell(0, items), cell(210, items), cell(310, items)], rights)).toBeNull();
  });
});
