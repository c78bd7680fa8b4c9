import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import type { Word } from '../page-model.js';
import { segmentsOf } from '../words/rows.js';
import { regionsOf } from './columns.js';

const read = (words: readonly Word[]): string[] =>
  regionsOf(segmentsOf(words), false).map((region) =>
    region.flatMap((item) => ('words' in item ? item.words.map(({ text }) => text) : [])).join(' '),
  );
const placed = (x: number, from: number, pitch: number, ...lines: string[]): Word[] =>
  lines.flatMap((line, index) => placedWords(x, from + index * pitch, line));
const address = placed(0, 112, 12, 'Ms Ada Potter', 'Seestrasse 12', '8800 Thalwil');
const texts = ['Our reference', 'No. 4711', 'Phone 044 1', 'Zurich, in May'];

describe('regionsOf', () => {
  it('reads an address before the data beside it, whose lines are spaced differently, and after what is far above', () => {
    const words = [
      ...placedWords(300, 40, 'Kilns and Sons'),
      ...address,
      ...placed(300, 100, 14, ...texts),
      ...placedWords(0, 190, 'Dear Ms Potter'),
      ...placedWords(0, 220, 'we thank you for your order of a kiln with two chambers and a tall chimney'),
    ];
    expect(read(words)).toStrictEqual([
      'Kilns and Sons',
      'Ms Ada Potter Seestrasse 12 8800 Thalwil',
      texts.join(' '),
      'Dear Ms Potter we thank you for your order of a kiln with two chambers and a tall chimney',
    ]);
  });

  it('keeps the rows of labels and values together, also where values are set a little higher', () => {
    const labels = ['Name', 'Street', 'Town', 'Phone'];
    for (const raise of [0, 2])
      expect(read([...placed(0, 100, 14, ...labels), ...placed(300, 100 - raise, 14, ...texts)])).toHaveLength(1);
  });
});
