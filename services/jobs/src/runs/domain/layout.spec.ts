import { describe, expect, it } from '@jest/globals';
import { layoutSchema } from '@kiln/contracts';
import { layoutOf } from './layout.js';

const MARKDOWN = [
  '# Kilns',
  '',
  'Clay is wet.',
  'It dries.',
  '',
  '- red',
  '- blue',
  '  sky',
  '',
  '| a | b |',
  '| --- | --- |',
  '| 1 | 2 |',
  '',
  '```',
  'code',
  '',
  '- more',
  '```',
  'After.',
].join('\n');

const at = (text: string) => MARKDOWN.indexOf(text);
const line = (text: string, x: number, y: number) => [at(text), at(text) + text.length, x, y, 1_000, 200] as const;

describe('the layout of a document', () => {
  const lines = [
    line('Kilns', 1_000, 1_000),
    line('Clay is wet.', 1_000, 2_000),
    line('It dries.', 1_500, 2_300),
    line('blue', 1_000, 4_000),
  ];
  const page = { page: 1, start: 0, end: MARKDOWN.length, width: 595, height: 842, lines };
  const layout = layoutOf(MARKDOWN, [page]);

  it('has its blocks in reading order, with their texts and their regions', () => {
    const { blocks, ...size } = layout?.pages[0] ?? { blocks: [] };
    expect(size).toStrictEqual({ page: 1, width: 595, height: 842 });
    expect(blocks.map(({ kind, start, end }) => [kind, MARKDOWN.slice(start, end)])).toStrictEqual([
      ['heading', '# Kilns'],
      ['paragraph', 'Clay is wet.\nIt dries.'],
      ['list_item', '- red'],
      ['list_item', '- blue\n  sky'],
      ['table', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
      ['code', '```\ncode\n\n- more\n```'],
      ['paragraph', 'After.'],
    ]);
    expect(blocks.map(({ region, lines: own }) => [region?.x, region?.width, own.length])).toStrictEqual([
      [0.1, 0.1, 1],
      [0.1, 0.15, 2],
      [undefined, undefined, 0],
      [0.1, 0.1, 1],
      [undefined, undefined, 0],
      [undefined, undefined, 0],
      [undefined, undefined, 0],
    ]);
    expect(blocks[1]?.region).toStrictEqual({ x: 0.1, y: 0.2, width: 0.15, height: 0.05 });
    expect(layoutSchema.parse(layout)).toStrictEqual(layout);
  });

  it('is none for a document whose text has no places', () => {
    expect(layoutOf(MARKDOWN, [])).toBeNull();
    expect(layoutOf(MARKDOWN, [{ page: 1, start: 0, end: 10 }])).toBeNull();
  });

  it('takes time in proportion to the text', () => {
    const text = '- a\n'.repeat(100_000);
    expect(layoutOf(text, [{ page: 1, start: 0, end: text.length, lines: [] }])?.pages[0]?.blocks).toHaveLength(
      100_000,
    );
  });
});
