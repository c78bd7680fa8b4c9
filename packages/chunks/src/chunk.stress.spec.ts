// Long fuzzing of chunks, outside the gate. fast-check prints the seed and the text of a failure.
import { expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { chunk } from './chunk.js';

const pieces = [
  '# a\n',
  '\n\n',
  '\n',
  ' ',
  '. ',
  'Dr. ',
  '| a | b |\n',
  '| --- | --- |\n',
  '```\n',
  '😀',
  '漢字',
  '。',
  '\t',
  'word',
];
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 400 }).map((parts) => parts.join(''));
const strategies = fc.constantFrom('recursive' as const, 'markdown' as const, 'sentence' as const, 'fixed' as const);

it('chunks of any text are slices of it, in order, that leave out white space only', () => {
  fc.assert(
    fc.property(
      texts,
      strategies,
      fc.integer({ min: 2, max: 500 }),
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      (text, strategy, chunkSize, share) => {
        const chunkOverlap = Math.floor(chunkSize * share);
        let covered = 0;
        for (const { start, end, text: cut } of chunk(text, { strategy, chunkSize, chunkOverlap })) {
          expect(cut).toBe(text.slice(start, end));
          expect(text.slice(covered, Math.max(covered, start)).trim()).toBe('');
          expect(end).toBeGreaterThan(covered);
          covered = end;
        }
        expect(text.slice(covered).trim()).toBe('');
      },
    ),
    { numRuns: 50_000, seed: testSeed() },
  );
}, 3_600_000);
