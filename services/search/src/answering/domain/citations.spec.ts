import { describe, expect, it } from '@jest/globals';
import { CitationNumbers, divideAtCitations } from './citations.js';

const EXCERPTS = 3;

describe('citations', () => {
  it.each([
    ['It rains [3]. It pours [1][3].', ['It rains', [2], '. It pours', [0, 2], '.', null]],
    ['Both [1, 2] and [2-9] [1]', ['Both', [0, 1], ' and', [1, 2, 0]]],
    ['It rains [9, 2]. [0] Not [7]', ['It rains', [1], '.', [], ' Not', []]],
    ['It rains [^1] [Source 2] 【3】.', ['It rains', [0, 1, 2], '.', null]],
    ['Take [this] or a[i] or [1 metre] or [] or [x](y).', ['Take [this] or a[i] or [1 metre] or [] or [x](y).', null]],
    ['In [2024] it rained [1', ['In', [], ' it rained', null]],
    ['', []],
  ] as const)('divide %j into the texts before them', (text, expected) => {
    const parts = divideAtCitations(text, EXCERPTS);
    expect(parts.flatMap((part) => [part.text, part.cited])).toStrictEqual(expected);
  });

  it.each(['a [2[9]] b', 'a [[9]2] b', 'a [2[[9]9]] b', '[1[9]][9]]', 'a [1\n[9]]'])(
    'that are removed from %j leave no other citation',
    (text) => {
      const left = divideAtCitations(text, EXCERPTS).map((part) => part.text);
      expect(left.join('')).not.toMatch(/\[\s*\d+\s*\]/);
    },
  );

  it('are numbered in the order of their first appearance', () => {
    const numbers = new CitationNumbers();
    expect([4, 2, 4, 0].map((position) => numbers.of(position))).toStrictEqual([1, 2, 1, 3]);
    expect(numbers.cited).toStrictEqual([4, 2, 0]);
  });
});
