import { expect, it } from '@jest/globals';
import { answerParts, excerptOf, markedSegments } from './segments.js';

const shown = (text: string, ranges: { start: number; end: number }[]) =>
  markedSegments(text, ranges).map((part) => (part.isMarked ? `<${part.text}>` : part.text));

it('marked segments make up the text, whatever the order, overlap and place of the ranges', () => {
  expect(
    shown('a glaze fires', [
      { start: 8, end: 13 },
      { start: 2, end: 7 },
    ]),
  ).toStrictEqual(['a ', '<glaze>', ' ', '<fires>']);
  expect(
    shown('glaze', [
      { start: 0, end: 3 },
      { start: 2, end: 99 },
    ]),
  ).toStrictEqual(['<gla>', '<ze>']);
  expect(shown('glaze', [{ start: 9, end: 12 }])).toStrictEqual(['glaze']);
  expect(shown('', [])).toStrictEqual([]);
});

it('an answer is cut at its citations', () => {
  expect(answerParts('Ten years [1]. Nine tonnes [2][12]').map(({ text, citation }) => [text, citation])).toStrictEqual(
    [
      ['Ten years ', null],
      ['[1]', 1],
      ['. Nine tonnes ', null],
      ['[2]', 2],
      ['[12]', 12],
    ],
  );
  expect(answerParts('a [x] b').map(({ text }) => text)).toStrictEqual(['a [x] b']);
});

it('an excerpt has the first marked word, and its marks stand where they were', () => {
  const text = `${'word '.repeat(100)}glaze ${'word '.repeat(100)}`;
  const at = text.indexOf('glaze');
  const excerpt = excerptOf({ text, ranges: [{ start: at, end: at + 5 }] });
  expect(excerpt.text).toMatch(/^…word .*glaze .*…$/);
  expect(excerpt.ranges.map(({ start, end }) => excerpt.text.slice(start, end))).toStrictEqual(['glaze']);
  expect(excerptOf({ text: 'glaze', ranges: [{ start: 0, end: 5 }] })).toStrictEqual({
    text: 'glaze',
    ranges: [{ start: 0, end: 5 }],
  });
  expect(excerptOf({ text: 'glaze', ranges: [] }).text).toBe('glaze');
});
