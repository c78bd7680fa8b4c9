import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import { adoptRows } from './adopt-rows.js';
import type { Table } from './table.js';

const table = (): Table => ({
  left: 0,
  top: 100,
  right: 200,
  bottom: 140,
  rows: [
    ['a', 'b'],
    ['c', 'd'],
  ],
  columnEdges: [0, 100],
  size: 10,
});

describe('adoptRows', () => {
  it('adds rows that fit the columns, as far as they follow each other', () => {
    const extended = table();
    const words = [150, 170, 260].flatMap((y) => [...placedWords(5, y, `x${y}`), ...placedWords(105, y, 'y')]);
    expect(adoptRows(extended, words).size).toBe(4);
    expect(extended.rows.slice(2)).toStrictEqual([
      ['x150', 'y'],
      ['x170', 'y'],
    ]);
  });

  it('divides text that leaves only a narrow gap at the edge of a column', () => {
    const extended = table();
    adoptRows(extended, [...placedWords(38, 150, 'a long label'), ...placedWords(100, 150, 'y')]);
    expect(extended.rows.at(-1)).toStrictEqual(['a long label', 'y']);
  });

  it('adds no text that crosses columns or is wider than the table', () => {
    for (const words of [
      placedWords(50, 155, 'a note across'),
      [...placedWords(5, 155, 'x'), ...placedWords(190, 155, 'wider')],
    ])
      expect(adoptRows(table(), words).size).toBe(0);
  });
});
