import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../../../fixtures/pdf-words.js';
import { rowsOf, segmentsOf } from './rows.js';

const texts = (words: readonly { text: string }[]): string => words.map(({ text }) => text).join(' ');

describe('rowsOf', () => {
  it('joins superscripts with their line, and keeps lines apart that are set solid', () => {
    const words = [
      ...placedWords(0, 100, 'first line'),
      ...placedWords(60, 96.5, '2', { size: 6 }),
      ...placedWords(0, 109, 'second line'),
    ];
    expect(rowsOf(words).map(texts)).toStrictEqual(['first line 2', 'second line']);
  });
});

describe('segmentsOf', () => {
  it('divides rows at gaps that are wider than spaces', () => {
    const words = [...placedWords(0, 100, 'left column'), ...placedWords(200, 100, 'right column')];
    expect(segmentsOf(words).map((segment) => texts(segment.words))).toStrictEqual(['left column', 'right column']);
  });

  it('has the size of most letters', () => {
    const [segment] = segmentsOf([
      ...placedWords(0, 100, 'A', { size: 30 }),
      ...placedWords(18, 100, 'long beginning'),
    ]);
    expect(segment?.size).toBe(10);
  });
});
