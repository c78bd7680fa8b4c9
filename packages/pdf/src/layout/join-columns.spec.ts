import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import { LineJoiner } from '../markdown/join-lines.js';
import type { Word } from '../page-model.js';
import { pageBlocks } from './page-blocks.js';

function textsOf(words: Word[]): string[] {
  const page = { width: 500, height: 800, words, rotation: 0 as const, turned: [], rules: [], structure: null };
  const { blocks } = pageBlocks(page, new Set(), { joiner: new LineJoiner(), readsCode: true });
  return blocks.map((block) => (block.kind === 'text' ? block.markdown : ''));
}
const column = (x: number, ...lines: string[]): Word[] =>
  lines.flatMap((line, index) => placedWords(x, 100 + index * 12, line));
const left = [
  'Kilns are heated with gas or wood, and',
  'the potters of the town have used both',
  'for as long as anyone remembers the in-',
];
const right = [
  'dustry. A gas kiln fires evenly, which',
  'makes it the usual choice of beginners',
  'and of schools that teach the old craft.',
];

describe('the columns of a page', () => {
  it('share a paragraph that continues in the next column, also above notes', () => {
    const whole = `${left.join(' ').slice(0, -1)}${right.join(' ')}`;
    expect(textsOf([...column(0, ...left), ...column(250, ...right)])).toStrictEqual([whole]);
    const note = placedWords(0, 150, '1. A note about the towns that are meant', { size: 8 });
    expect(textsOf([...column(0, ...left), ...note, ...column(250, ...right)])).toStrictEqual([
      whole,
      '1. A note about the towns that are meant',
    ]);
  });

  it('have paragraphs of their own if the first one ends, or the second one begins', () => {
    const ended = left.with(2, 'for as long as anyone remembers it all.');
    expect(textsOf([...column(0, ...ended), ...column(250, ...right)])).toHaveLength(2);
    const begun = right.with(0, 'Dust is a danger. A kiln fires evenly,');
    expect(textsOf([...column(0, ...left), ...column(250, ...begun)])).toHaveLength(2);
    const larger = placedWords(0, 150, 'Of kilns', { size: 14 });
    expect(textsOf([...column(0, ...left), ...larger, ...column(250, ...right)])).toHaveLength(3);
  });
});
