import { expect, it } from '@jest/globals';
import { childrenNamed, parseXml, textOf } from '../xml/xml-tree.js';
import { pointTexts } from './chart-table.js';

/** Each level is the text of its points by their index. The innermost comes first. */
function categories(...levels: readonly Readonly<Record<number, string>>[]): readonly (readonly [number, string])[] {
  const points = (level: Readonly<Record<number, string>>): string =>
    Object.entries(level)
      .map(([index, text]) => `<pt idx="${index}">${text}</pt>`)
      .join('');
  const xml = parseXml(`<cache>${levels.map((level) => `<lvl>${points(level)}</lvl>`).join('')}</cache>`, 'chart1.xml');
  return [...pointTexts(childrenNamed(xml, 'lvl'), textOf)];
}

it('an outer category applies to all inner ones up to the next', () => {
  const quarters = { 0: 'Q1', 1: 'Q2', 2: 'Q3', 3: 'Q1', 4: 'Q2' };
  expect(categories(quarters, { 0: 'North', 2: 'South', 4: 'North' }, { 0: '2024', 3: '2025' })).toStrictEqual([
    [0, '2024 North Q1'],
    [1, '2024 North Q2'],
    [2, '2024 South Q3'],
    [3, '2025 Q1'],
    [4, '2025 North Q2'],
  ]);
});

it('an outer category without inner ones is a point of its own', () => {
  expect(categories({ 0: 'Cups', 2: 'Bowls' }, { 0: 'Red', 1: 'White', 2: 'Blue' })).toStrictEqual([
    [0, 'Red Cups'],
    [1, 'White'],
    [2, 'Blue Bowls'],
  ]);
});

it('the names of outer categories are repeated within bounds', () => {
  const long = 'x'.repeat(10_000);
  const texts = categories({ 0: 'a', 1: 'b' }, ...Array.from({ length: 50 }, () => ({ 0: long })));
  expect(texts.map(([, text]) => text.length)).toStrictEqual([4 * 100 + 4 + 1, 4 * 100 + 4 + 1]);
});
