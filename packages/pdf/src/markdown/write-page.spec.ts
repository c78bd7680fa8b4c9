import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import type { Block, TableBlock, TextBlock } from '../layout/block.js';
import { inlineMarkdown, plainText } from './inline-text.js';
import { continuedRows } from './join-tables.js';
import { writeBlocks } from './write-page.js';

const text = (markdown: string, code: string[] | null = null): Block =>
  ({ kind: 'text', markdown, plain: markdown, code }) as TextBlock;
const table = (columnEdges: number[], ...rows: string[][]): TableBlock => ({
  kind: 'table',
  table: { left: 0, top: 0, right: 100, bottom: 100, rows, columnEdges, size: 10 },
});

describe('writeBlocks', () => {
  it('writes headings, lists, code and tables', () => {
    const title = text('Kilns #');
    const blocks = [
      title,
      text('• gas'),
      text('• wood'),
      text('1. light it'),
      text('', ['a {']),
      text('', ['}']),
      table([0, 50], ['a', 'b'], ['c', 'd']),
    ];
    expect(writeBlocks(blocks, new Map([[title as TextBlock, 2]]))).toBe(
      '## Kilns \\#\n\n- gas\n- wood\n\n1. light it\n\n```\na {\n\n}\n```\n\n| a | b |\n| --- | --- |\n| c | d |',
    );
  });

  it('escapes what would be markup at the beginning of a line', () => {
    expect(writeBlocks([text('# no heading\n> no quote')], new Map())).toBe('\\# no heading\n\\> no quote');
  });
});

describe('inlineMarkdown', () => {
  it('escapes markup, and keeps links whose address is safe', () => {
    const words = placedWords(0, 0, 'see *this* page now!');
    const linked = words.map((word, index) => ({
      ...word,
      link: index === 1 ? 'https://a.example' : index === 2 ? 'javascript:x' : null,
    }));
    expect(inlineMarkdown(linked)).toBe('see [\\*this\\*](https://a.example) page now\\!');
  });

  it.each(['Firing . . . . . . 12', 'Firing ........ 12'])(
    'writes the dots that lead to a number as one sign: %s',
    (line) => {
      const words = placedWords(0, 0, line);
      expect([inlineMarkdown(words), plainText(words)]).toStrictEqual(['Firing … 12', 'Firing … 12']);
      expect(inlineMarkdown(placedWords(0, 0, 'and so on ....'))).toBe('and so on ....');
    },
  );

  it('writes no space before glued words', () => {
    const words = placedWords(0, 0, 'E mc 2').map((word, index) => ({ ...word, isGlued: index === 2 }));
    expect(inlineMarkdown(words)).toBe('E mc2');
  });
});

describe('continuedRows', () => {
  const before = table([50, 150], ['Code', 'Name'], ['1', 'a']);

  it('are those of a table with the same columns, without the repeated head', () => {
    expect(continuedRows([text('x'), before], [table([52, 149], ['Code', 'Name'], ['2', 'b'])])).toStrictEqual([
      ['2', 'b'],
    ]);
    expect(continuedRows([before], [table([50, 150], ['2', 'b'])])).toStrictEqual([['2', 'b']]);
  });

  it('are none where another table or a text follows', () => {
    expect(continuedRows([before], [table([50, 210], ['2', 'b'])])).toBeNull();
    expect(continuedRows([before], [text('x'), table([50, 150], ['2', 'b'])])).toBeNull();
  });
});
