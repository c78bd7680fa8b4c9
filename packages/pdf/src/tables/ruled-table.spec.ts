import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import type { Rule, Word } from '../page-model.js';
import { gridsOf, mergeRules } from './rule-grid.js';
import { ruledTable } from './ruled-table.js';

const horizontal = (at: number, from: number, to: number): Rule => ({ isHorizontal: true, at, from, to });
const vertical = (at: number, from: number, to: number): Rule => ({ isHorizontal: false, at, from, to });
function rowsOf(rules: Rule[], words: Word[]): string[][] | undefined {
  const [grid] = gridsOf(mergeRules(rules));
  return grid === undefined ? undefined : ruledTable(grid, words)?.table.rows;
}
const lines = (xs: number[], ys: number[]): Rule[] => [
  ...ys.map((y) => horizontal(y, xs[0] ?? 0, xs.at(-1) ?? 0)),
  ...xs.map((x) => vertical(x, ys[0] ?? 0, ys.at(-1) ?? 0)),
];

describe('ruledTable', () => {
  it('reads cells between rules, and joins the lines of a cell', () => {
    const words = [
      ...placedWords(5, 15, 'a'),
      ...placedWords(105, 15, 'b'),
      ...placedWords(5, 35, 'c'),
      ...placedWords(105, 33, 'first'),
      ...placedWords(105, 45, 'second'),
    ];
    expect(rowsOf(lines([0, 100, 200], [0, 20, 60]), words)).toStrictEqual([
      ['a', 'b'],
      ['c', 'first second'],
    ]);
  });

  it('has cells that hold lists and several paragraphs', () => {
    const items = (x: number, y: number, mark: (index: number) => string): Word[] =>
      ['Bisque', 'Glaze', 'Luster'].flatMap((item, index) => [
        ...placedWords(x, y + index * 12, mark(index)),
        ...placedWords(x + 30, y + index * 12, item),
      ]);
    const words = [
      ...placedWords(5, 15, 'Firings'),
      ...placedWords(305, 15, 'Order'),
      ...placedWords(15, 35, 'There are:'),
      ...items(15, 47, () => '•'),
      ...placedWords(305, 35, 'In fire:'),
      ...items(305, 47, (index) => `${index + 1}.`),
      ...placedWords(5, 95, 'Cold ware'),
      ...placedWords(5, 119, 'Hot ware'),
      ...placedWords(5, 143, 'Kilns that are lit'),
      ...items(5, 155, (index) => `${index + 1}.`),
    ];
    expect(rowsOf(lines([0, 300, 600], [0, 20, 80, 190]), words)).toStrictEqual([
      ['Firings', 'Order'],
      ['There are: • Bisque • Glaze • Luster', 'In fire: 1. Bisque 2. Glaze 3. Luster'],
      ['Cold ware Hot ware Kilns that are lit 1. Bisque 2. Glaze 3. Luster', ''],
    ]);
  });

  it('has cells of several short paragraphs, if no lines of other cells stand beside them', () => {
    const parts = ['Floor', 'Four walls', 'Arch', 'Chimney', 'Door'];
    const words = [
      ...placedWords(5, 15, 'Kiln'),
      ...placedWords(305, 15, 'Parts'),
      ...placedWords(5, 35, 'Climbing kiln'),
      ...parts.flatMap((part, index) => placedWords(305, 35 + index * 14, part)),
    ];
    expect(rowsOf(lines([0, 300, 600], [0, 20, 110]), words)).toStrictEqual([
      ['Kiln', 'Parts'],
      ['Climbing kiln', parts.join(' ')],
    ]);
    const prices = parts.flatMap((_, index) => placedWords(5, 49 + index * 14, `${index}0`));
    expect(rowsOf(lines([0, 300, 600], [0, 20, 110]), [...words, ...prices])).toBeUndefined();
  });

  it('repeats a cell that spans columns or rows', () => {
    const rules = [
      ...[0, 20, 40].map((y) => horizontal(y, y === 20 ? 100 : 0, 300)),
      horizontal(60, 0, 300),
      ...[0, 100, 300].map((x) => vertical(x, 0, 60)),
      vertical(200, 20, 60),
    ];
    const words = [
      ...placedWords(5, 25, 'Year'),
      ...placedWords(150, 15, 'Sales'),
      ...placedWords(105, 35, 'North'),
      ...placedWords(205, 35, 'South'),
      ...placedWords(5, 55, '2024'),
      ...placedWords(105, 55, '1'),
      ...placedWords(205, 55, '2'),
    ];
    expect(rowsOf(rules, words)).toStrictEqual([
      ['Year', 'Sales', 'Sales'],
      ['Year', 'North', 'South'],
      ['2024', '1', '2'],
    ]);
  });

  it('does not repeat a long text in the cells that it spans', () => {
    const rules = [
      ...[0, 20, 40].map((y) => horizontal(y, 0, 1_000)),
      vertical(0, 0, 40),
      vertical(1_000, 0, 40),
      vertical(500, 20, 40),
    ];
    const words = [
      ...placedWords(5, 15, 'long '.repeat(60).trim(), { size: 5 }),
      ...placedWords(5, 35, 'a'),
      ...placedWords(505, 35, 'b'),
    ];
    expect(rowsOf(rules, words)?.map((row) => row.map((cell) => cell.length))).toStrictEqual([
      [299, 0],
      [1, 1],
    ]);
  });

  it('has a first column without a border on its left', () => {
    const rules = [...[0, 20, 40].map((y) => horizontal(y, 0, 200)), vertical(100, 0, 40), vertical(200, 0, 40)];
    const words = [
      [5, 15, 'a'],
      [105, 15, 'b'],
      [5, 35, 'c'],
      [105, 35, 'd'],
    ].flatMap(([x, y, text]) => placedWords(Number(x), Number(y), String(text)));
    expect(rowsOf(rules, words)).toStrictEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('is not made of a frame, of borders around columns of text, or of rules across text', () => {
    expect(rowsOf(lines([0, 300], [0, 200]), placedWords(5, 15, 'framed'))).toBeUndefined();
    const stacked = [0, 1, 2, 3, 4, 5].flatMap((line) => [
      ...placedWords(5, 40 + line * 12, 'Name'),
      ...placedWords(60, 40 + line * 12, 'value'),
      ...placedWords(305, 40 + line * 12, 'Other'),
      ...placedWords(360, 40 + line * 12, 'value'),
    ]);
    const head = [...placedWords(5, 15, 'Left'), ...placedWords(305, 15, 'Right')];
    expect(rowsOf(lines([0, 300, 600], [0, 20, 200]), [...head, ...stacked])).toBeUndefined();
    const listed = [0, 1, 2, 3].flatMap((line) => [
      ...placedWords(5, 40 + line * 12, '• heat'),
      ...placedWords(100, 40 + line * 12, '• clay'),
      ...placedWords(305, 40 + line * 12, 'fire'),
    ]);
    expect(rowsOf(lines([0, 300, 600], [0, 20, 200]), [...head, ...listed])).toBeUndefined();
    const prose = [15, 35].flatMap((y) => placedWords(5, y, 'a sentence that runs on and on over the rules of a plot'));
    expect(rowsOf(lines([0, 100, 200, 300], [0, 20, 40]), prose)).toBeUndefined();
  });
});

describe('mergeRules', () => {
  it('joins the borders that neighbouring cells draw, and the pieces of a rule', () => {
    const { horizontal: merged } = mergeRules([horizontal(10, 0, 50), horizontal(11, 51, 100), horizontal(40, 0, 100)]);
    expect(merged).toStrictEqual([horizontal(10.5, 0, 100), horizontal(40, 0, 100)]);
  });

  it('leaves out drawings of thousands of rules', () => {
    const hatched = Array.from({ length: 3_000 }, (_, index) => horizontal(index * 5, 0, 100));
    expect(mergeRules(hatched)).toStrictEqual({ horizontal: [], vertical: [] });
  });
});
