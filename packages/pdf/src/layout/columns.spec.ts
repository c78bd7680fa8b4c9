import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
import { segmentsOf } from '../words/rows.js';
import { regionsOf } from './columns.js';

const prose = (x: number, from: number, lines: number, name: string): ReturnType<typeof placedWords> =>
  Array.from({ length: lines }, (_, index) => placedWords(x, from + index * 12, `${name} is a line of prose`)).flat();
const read = (words: ReturnType<typeof placedWords>, isRightToLeft = false): string[] =>
  regionsOf(segmentsOf(words), isRightToLeft).map((region) =>
    [...new Set(region.map((item) => ('words' in item ? (item.words[0]?.text ?? '') : '')))].join(' '),
  );

describe('regionsOf', () => {
  it('reads columns one after the other, between what runs across them', () => {
    const words = [
      ...placedWords(0, 50, 'Title that runs across both of the columns of the page'),
      ...prose(0, 80, 6, 'left'),
      ...prose(200, 86, 6, 'right'),
      ...placedWords(0, 180, 'Wide caption that runs across both of the columns again'),
      ...prose(0, 210, 5, 'lower'),
      ...prose(200, 210, 5, 'last'),
    ];
    expect(read(words)).toStrictEqual(['Title', 'left', 'right', 'Wide', 'lower', 'last']);
  });

  it('reads a heading below columns of the same length after both, though it fits into one of them', () => {
    const columns = [...prose(0, 80, 6, 'left'), ...prose(200, 80, 6, 'right')];
    const text = placedWords(0, 182, 'Text that runs across both of the columns of the page');
    expect(read([...columns, ...placedWords(0, 165, 'Heading'), ...text])).toStrictEqual([
      'left',
      'right',
      'Heading Text',
    ]);
  });

  it('reads a longer column to its end before the one beside it', () => {
    const columns = [...prose(0, 80, 6, 'left'), ...prose(200, 80, 6, 'right')];
    const footer = placedWords(0, 400, 'A footer that runs across both of the columns of the page');
    const next = placedWords(0, 152, 'and more');
    expect(read([...columns, ...next, ...footer])).toStrictEqual(['left and', 'right', 'A']);
    const heading = placedWords(0, 165, 'Heading');
    expect(read([...columns, ...heading, ...prose(0, 180, 3, 'more'), ...footer])).toStrictEqual([
      'left Heading more',
      'right',
      'A',
    ]);
  });

  it('finds three columns, and begins on the right where text runs to the left', () => {
    const words = [...prose(0, 80, 6, 'one'), ...prose(170, 80, 6, 'two'), ...prose(340, 80, 6, 'three')];
    expect(read(words)).toStrictEqual(['one', 'two', 'three']);
    expect(read(words, true)).toStrictEqual(['three', 'two', 'one']);
  });

  it('finds the gutter also where a page number is centered in it', () => {
    const words = [...prose(0, 80, 6, 'left'), ...prose(145, 80, 6, 'right'), ...placedWords(136, 400, '1')];
    expect(read(words)).toStrictEqual(['left', 'right', '1']);
  });

  it('does not divide labels from their values', () => {
    const words = [0, 1, 2, 3].flatMap((line) => [
      ...placedWords(0, 80 + line * 12, 'Name'),
      ...placedWords(200, 80 + line * 12, 'Ada'),
    ]);
    expect(read(words)).toStrictEqual(['Name Ada']);
  });
});
