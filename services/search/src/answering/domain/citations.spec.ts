import { describe, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { CitationRewriter } from './citations.js';

fc.configureGlobal({ seed: testSeed() });

function rewrite(pieces: readonly string[], excerpts = 3) {
  const rewriter = new CitationRewriter(excerpts);
  const shown = pieces.map((piece) => rewriter.add(piece));
  return { answer: [...shown, rewriter.end()].join(''), cited: rewriter.cited, shown };
}

describe('citations', () => {
  it('are numbered in the order of their first appearance', () => {
    const { answer, cited } = rewrite(['It rains [3]. It pours [1][3]. Both [1, 2].']);
    expect([answer, cited]).toStrictEqual(['It rains [1]. It pours [2][1]. Both [2][3].', [2, 0, 1]]);
  });

  it.each([
    ['It rains [9].', 'It rains.', []],
    ['[9] It rains [0].', 'It rains.', []],
    ['It rains [9, 2].', 'It rains [1].', [1]],
    ['It rains [2-9].', 'It rains [1][2].', [1, 2]],
    ['It rains [^1] [Source 2] 【3】.', 'It rains [1] [2] [3].', [0, 1, 2]],
    [
      'Take [this] or a[i] or [1 metre] or [] or [x](y) [1].',
      'Take [this] or a[i] or [1 metre] or [] or [x](y) [1].',
      [0],
    ],
    ['In [2024] it rained [1', 'In it rained [1', []],
    [
      'A long [bracket that is certainly not a citation of anything [2]',
      'A long [bracket that is certainly not a citation of anything [1]',
      [1],
    ],
    ['[[1]]', '[[1]]', [0]],
    [' \n It rains. \n', 'It rains.', []],
  ] as const)('in %j become %j', (answer, expected, cited) => {
    const rewritten = rewrite([answer]);
    expect([rewritten.answer, rewritten.cited]).toStrictEqual([expected, cited]);
  });

  it('are decided with the piece that closes them, and text is not held back otherwise', () => {
    expect(rewrite(['It', ' rains ', '[', '3', ']', ' and', ' pours.']).shown).toStrictEqual([
      'It',
      ' rains',
      '',
      '',
      ' [1]',
      ' and',
      ' pours.',
    ]);
  });

  const fragment = fc.constantFrom(
    '[1]',
    '[2',
    ', 3]',
    '[9]',
    ' ',
    '\n',
    'word',
    '[',
    ']',
    '【2】',
    '[1-3]',
    '. ',
    '🔥',
  );
  it('do not depend on how the answer is divided into pieces, and name given excerpts only', () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 20 }), fc.array(fc.nat(5), { maxLength: 30 }), (fragments, sizes) => {
        const answer = fragments.join('');
        const pieces: string[] = [];
        for (let at = 0, count = 0; at < answer.length; count++) {
          const size = 1 + (sizes[count % Math.max(sizes.length, 1)] ?? 0);
          pieces.push(answer.slice(at, at + size));
          at += size;
        }
        const whole = rewrite([answer]);
        const divided = rewrite(pieces);
        expect([divided.answer, divided.cited]).toStrictEqual([whole.answer, whole.cited]);
        expect(new Set(whole.cited).size).toBe(whole.cited.length);
        for (const [, number] of whole.answer.matchAll(/\[(\d+)\]/g))
          expect(Number(number)).toBeLessThanOrEqual(whole.cited.length);
      }),
      { numRuns: 2_000 },
    );
  });
});
