import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import type { Rule, Word } from '../page-model.js';
import { openTables } from './open-table.js';

const rules = (...ys: number[]): Rule[] => ys.map((at) => ({ isHorizontal: true, at, from: 50, to: 460 }));
const row = (y: number, ...cells: string[]): Word[] =>
  cells.flatMap((cell, index) => placedWords(55 + index * 100, y, cell));
const tables = (lines: Rule[], words: Word[]): string[][][] =>
  openTables(lines, words, 800).map(({ table }) => table.rows);

describe('openTables', () => {
  it('finds a table between rules of the same length', () => {
    const words = [
      ...row(112, 'Kiln', 'Load', 'Loss'),
      ...row(130, 'Gas', '120', '4.1'),
      ...row(142, 'Electric', '150', '2.8'),
    ];
    expect(tables(rules(100, 118, 150), words)).toStrictEqual([
      [
        ['Kiln', 'Load', 'Loss'],
        ['Gas', '120', '4.1'],
        ['Electric', '150', '2.8'],
      ],
    ]);
  });

  it('repeats a name that is centered above several columns', () => {
    const words = [
      ...placedWords(55, 112, 'All'),
      ...placedWords(205, 112, 'Load'),
      ...row(124, 'Kiln', 'least', 'most'),
      ...row(142, 'Gas', '120', '480'),
      ...row(154, 'Electric', '10', '150'),
    ];
    expect(tables(rules(100, 130, 160), words)[0]?.slice(0, 2)).toStrictEqual([
      ['All', 'Load', 'Load'],
      ['Kiln', 'least', 'most'],
    ]);
  });

  it('takes the names of columns that stand on the first rule, also where they are wider than the values', () => {
    const line = (y: number, name: string, load: string, loss: string): Word[] => [
      ...placedWords(55, y, name),
      ...placedWords(300 - load.length * 5, y, load),
      ...placedWords(360 - loss.length * 5, y, loss),
    ];
    const words = [
      ...line(97, 'Kiln', 'Full load', 'Lost heat'),
      ...line(112, 'Gas', '9', '4.1'),
      ...line(130, 'Electric', '1', '2.8'),
    ];
    expect(tables(rules(100, 118, 136), words)).toStrictEqual([
      [
        ['Kiln', 'Full load', 'Lost heat'],
        ['Gas', '9', '4.1'],
        ['Electric', '1', '2.8'],
      ],
    ]);
  });

  it('does not take a text between rules for a table', () => {
    const words = [112, 124, 136].flatMap((y) => placedWords(55, y, 'a notice that is set between two rules'));
    expect(tables(rules(100, 150), words)).toStrictEqual([]);
    const columns = [112, 124, 136, 148].flatMap((y) => [
      ...placedWords(55, y, 'a line of prose in the left column'),
      ...placedWords(265, y, 'a line of prose in the right column'),
    ]);
    expect(tables(rules(100, 160), columns)).toStrictEqual([]);
  });
});
