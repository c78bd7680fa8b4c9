import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import { LineJoiner } from '../markdown/join-lines.js';
import type { Rule, Word } from '../page-model.js';
import { pageBlocks } from './page-blocks.js';

/** A table of two columns and rows that is 400 wide and 40 high. */
function table(y: number): { rules: Rule[]; words: Word[] } {
  return {
    rules: [
      ...[0, 20, 40].map((at) => ({ isHorizontal: true, at: y + at, from: 50, to: 450 })),
      ...[50, 250, 450].map((at) => ({ isHorizontal: false, at, from: y, to: y + 40 })),
    ],
    words: [15, 35].flatMap((at) => [55, 255].flatMap((x) => placedWords(x, y + at, 'value'))),
  };
}

describe('pageBlocks', () => {
  it('compares the width of a line with that of its region, also between tables', () => {
    const [above, below] = [table(100), table(200)];
    const words = [...above.words, ...placedWords(50, 170, 'Kilns and their fuels'), ...below.words];
    const rules = [...above.rules, ...below.rules];
    const page = { width: 500, height: 800, words, rotation: 0 as const, turned: [], rules, structure: null };
    const { blocks } = pageBlocks(page, new Set(), { joiner: new LineJoiner(), readsCode: true });
    expect(blocks.map(({ kind }) => kind)).toStrictEqual(['table', 'text', 'table']);
    const [head] = blocks.filter((block) => block.kind === 'text');
    expect(head?.widthShare).toBeCloseTo(99 / 400);
  });
});
