import { describe, expect, it } from '@jest/globals';
import type { Block, TextBlock } from '../layout/block.js';
import { findHeadings } from './find-headings.js';
import { KnownTitles, normalTitle } from './known-titles.js';
import { StyleCensus } from './style-census.js';

const block = (plain: string, other: Partial<TextBlock> = {}): TextBlock => ({
  kind: 'text',
  left: 0,
  top: 0,
  right: 100,
  bottom: 10,
  markdown: plain,
  plain,
  letters: plain.length,
  lines: 1,
  size: 10,
  isBold: false,
  isItalic: false,
  code: null,
  gapAbove: 2,
  gapBelow: 1.4,
  widthShare: 0.4,
  isEntry: false,
  headsText: false,
  taggedLevel: null,
  ...other,
});
const text = block('', { letters: 2000, lines: 20, widthShare: 1, gapAbove: 1.4 });
const body = { size: 10, isBold: false, isMono: false };
function found(blocks: Block[], outline: { title: string; level: number; page: number }[] = []): [string, number][] {
  const levels = findHeadings([{ number: 1, blocks, shown: null }], body, new KnownTitles(outline));
  return [...levels].map(([{ plain }, level]) => [plain, level]);
}

describe('findHeadings', () => {
  it('finds larger, bold and numbered lines, and ranks their faces', () => {
    expect(
      found([
        block('A report on kilns', { size: 20 }),
        text,
        block('1 Overview', { size: 14 }),
        text,
        block('1.1 Scope', { isBold: true }),
        text,
        block('Another part', { size: 14 }),
        text,
      ]),
    ).toStrictEqual([
      ['A report on kilns', 1],
      ['1 Overview', 2],
      ['1.1 Scope', 3],
      ['Another part', 2],
    ]);
  });

  it('leaves captions, list items, entries of a table of contents, sentences and values alone', () => {
    const others = [
      block('Table 1: Consumption of kilns', { isBold: true }),
      block('1. Light the burner'),
      block('2. Wait an hour'),
      block('1 Introduction . . . . 7', { isBold: true, isEntry: true }),
      block('This is important.', { isBold: true }),
      block('2024-03-12 14:30', { isBold: true }),
      block('continued on the next page', { isBold: true }),
      block('A plain line'),
    ];
    expect(found([text, ...others, text])).toStrictEqual([]);
  });

  it('finds lines in another face that stand on a paragraph, and what is alike elsewhere', () => {
    const head = { isItalic: true, headsText: true };
    const crowded = { gapAbove: 1.2, gapBelow: 1.4 };
    const others = [
      block('Emphasized words', { isItalic: true }),
      block('A Plain Head', { headsText: true, ...crowded }),
      block('a phrase,', head),
    ];
    expect(found([text, block('The Floor', { ...head, ...crowded }), text, ...others, text])).toStrictEqual([]);
    const alike = [block('The Floor', head), text, block('The Walls', { ...head, ...crowded }), text];
    expect(found([text, ...alike, ...others, text])).toStrictEqual([
      ['The Floor', 1],
      ['The Walls', 1],
    ]);
  });

  it('follows the outline on the page that it leads to', () => {
    const outline = [{ title: '2. Plain line', level: 1, page: 1 }];
    expect(found([text, block('Plain line', { gapAbove: 1.2 }), text], outline)).toStrictEqual([['Plain line', 1]]);
    expect(
      found([text, block('Plain line', { gapAbove: 1.2 }), text], [{ title: 'Plain line', level: 1, page: 2 }]),
    ).toStrictEqual([]);
  });

  it('takes levels from the outline, below the title, and gives other headings that of their face', () => {
    const outline = [
      { title: 'Preface', level: 1, page: 1 },
      { title: 'Firing a kiln', level: 1, page: 1 },
      { title: 'Fuel', level: 2, page: 1 },
    ];
    const cover = [block('A book of kilns', { size: 40 }), block('Second edition', { size: 26, isBold: true })];
    const chapters = [
      block('Preface', { size: 20 }),
      text,
      block('Firing a kiln', { size: 22 }),
      text,
      block('Fuel', { size: 14 }),
      text,
      block('Glaze', { size: 14 }),
      text,
      block('A note', { size: 12, isBold: true }),
    ];
    expect(found([...cover, text, ...chapters, text], outline)).toStrictEqual([
      ['A book of kilns', 1],
      ['Second edition', 1],
      ['Preface', 2],
      ['Firing a kiln', 2],
      ['Fuel', 3],
      ['Glaze', 3],
      ['A note', 4],
    ]);
  });

  it('takes levels from numbers with several parts, also where a decoration is larger than the sections', () => {
    const sections = [block('1 Overview', { size: 14 }), text, block('1.1 Scope', { isBold: true }), text];
    expect(found([...sections, block('Sale ends soon', { size: 30 }), text])).toStrictEqual([
      ['1 Overview', 1],
      ['1.1 Scope', 2],
      ['Sale ends soon', 1],
    ]);
  });

  it('follows the tags, and their levels', () => {
    expect(found([text, block('A plain line', { taggedLevel: 3 }), text])).toStrictEqual([['A plain line', 3]]);
  });
});

describe('StyleCensus', () => {
  it('knows the style of most letters', () => {
    const census = new StyleCensus();
    census.add({ size: 24, letters: 30, isBold: true, isMono: false });
    census.add({ size: 10.1, letters: 900, isBold: false, isMono: false });
    expect(census.body()).toStrictEqual(body);
  });
});

describe('normalTitle', () => {
  it('compares letters and digits only', () => {
    expect(normalTitle('1.2  The “ﬁrst” Part')).toBe('12thefirstpart');
  });
});
