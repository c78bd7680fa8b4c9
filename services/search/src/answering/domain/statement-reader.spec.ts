import { describe, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { StatementReader } from './statement-reader.js';

fc.configureGlobal({ seed: testSeed() });

function read(pieces: readonly string[]): string[][] {
  const reader = new StatementReader();
  const parts = pieces.map((piece) => reader.add(piece));
  return [...parts, reader.end()];
}

describe('the statements of an answer', () => {
  it.each([
    ['It rains. It pours.', ['It rains. ', 'It pours.']],
    ['It rains [1]. It pours. [2] It is wet [3].', ['It rains [1]. ', 'It pours. [2] ', 'It is wet [3].']],
    ['- Clay is wet [1]\n- Sand is dry [2]\n', ['- Clay is wet [1]\n', '- Sand is dry [2]\n']],
    ['The kiln is\nfired at 1.5 bar. Really.', ['The kiln is\nfired at 1.5 bar. ', 'Really.']],
    ['窯は熱い[1]。粘土は冷たい。', ['窯は熱い[1]。', '粘土は冷たい。']],
    ['Ask Dr. Lee [1]. Or e.g. J. Poe.', ['Ask Dr. Lee [1]. ', 'Or e.g. J. Poe.']],
    ['See https://a.example/b?c=d!e. Really.', ['See https://a.example/b?c=d!e. ', 'Really.']],
    ['', []],
  ])('of %j are sentences with the citations after them', (answer, statements) => {
    expect(read([answer]).flat()).toStrictEqual(statements);
  });

  it('have at most 4,000 characters, and lose nothing when they are divided', () => {
    const answer = 'word '.repeat(2_000);
    const pieces = read(answer.match(/[^]{1,7}/g) ?? []);
    expect(pieces.flat().join('')).toBe(answer);
    expect(pieces.flat().map(({ length }) => length)).toStrictEqual([4_000, 4_000, 2_000]);
  });

  it('are complete once the next one has begun', () => {
    expect(read(['It rains', '. ', '[', '1', '] ', 'It', ' pours.'])).toStrictEqual([
      [],
      [],
      [],
      [],
      [],
      ['It rains. [1] '],
      [],
      ['It pours.'],
    ]);
  });

  const fragments = '[1]|[2|, 3]|[9]|[source 1]| |\n|word|Dr.|Word|12|[|]|【2】|. |!|。|"|)|🔥'.split('|');
  const fragment = fc.constantFrom(...fragments);
  it('do not depend on how the answer is divided into pieces, and lose nothing', () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 25 }), fc.array(fc.nat(5), { maxLength: 30 }), (chosen, sizes) => {
        const answer = chosen.join('');
        const pieces: string[] = [];
        for (let at = 0, count = 0; at < answer.length; count++) {
          const size = 1 + (sizes[count % Math.max(sizes.length, 1)] ?? 0);
          pieces.push(answer.slice(at, at + size));
          at += size;
        }
        const whole = read([answer]).flat();
        expect(whole.join('')).toBe(answer);
        expect(read(pieces).flat()).toStrictEqual(whole);
      }),
      { numRuns: 3_000 },
    );
  });
});
