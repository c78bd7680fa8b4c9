import { describe, expect, it } from '@jest/globals';
import { placedWords } from '../fixtures/pdf-words.js';
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

  it('puts marks that are raised by half a line behind the words that they follow', () => {
    const [first, second] = [placedWords(0, 100, 'heat'), placedWords(60, 100, 'glaze')];
    const marks = [first, second].flatMap(([word], index) =>
      placedWords(word?.right ?? 0, 95, `${index}*`, { size: 6 }),
    );
    const beside = placedWords(200, 96, 'another column');
    const above = placedWords(0, 85, 'the line above');
    expect(rowsOf([...above, ...marks, ...beside, ...first, ...second]).map(texts)).toStrictEqual([
      'the line above',
      'another column',
      'heat 0* glaze 1*',
    ]);
  });

  it('puts raised marks before the words that a space separates from them', () => {
    const words = [...placedWords(0, 95.5, '1', { size: 6 }), ...placedWords(9, 100, 'University of Kilns')];
    expect(rowsOf(words).map(texts)).toStrictEqual(['1 University of Kilns']);
  });

  it('puts a subscript that is lowered by half a line behind the word that it follows, however near the next line is', () => {
    const [formula] = placedWords(0, 100, 'CO');
    const words = [
      ...placedWords(0, 100, 'CO'),
      ...placedWords(formula?.right ?? 0, 105, '2', { size: 8 }),
      ...placedWords((formula?.right ?? 0) + 7, 100, 'rises'),
      ...placedWords(0, 112, 'up and away'),
    ];
    expect(rowsOf(words).map(texts)).toStrictEqual(['CO 2 rises', 'up and away']);
  });

  it('puts a mark between two lines on the one that is nearer', () => {
    const mark = (baseline: number) =>
      rowsOf([
        ...placedWords(0, 100, 'glaze'),
        ...placedWords(placedWords(0, 100, 'glaze')[0]?.right ?? 0, baseline, '1', { size: 6 }),
        ...placedWords(0, 110, 'kilns'),
      ]).map(texts);
    expect(mark(104.5)).toStrictEqual(['glaze 1', 'kilns']);
    expect(mark(105.5)).toStrictEqual(['glaze', 'kilns 1']);
  });

  it('does not take lines beside an initial, or small text above a line, for raised marks', () => {
    const besideInitial = [
      ...placedWords(30, 88, 'pon a time'),
      ...placedWords(30, 100, 'there was'),
      ...placedWords(0, 100, 'U', { size: 24 }),
    ];
    expect(rowsOf(besideInitial).map(texts)).toStrictEqual(['pon a time', 'U there was']);
    const label = [...placedWords(2, 95, 'above', { size: 6 }), ...placedWords(0, 100, 'temperature')];
    expect(rowsOf(label).map(texts)).toStrictEqual(['above', 'temperature']);
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
