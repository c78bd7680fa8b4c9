import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CountingProcess } from '@kiln/pdf/fixtures/counting-process';
import { growingTexts } from '@kiln/readers/fixtures/growing-text';
import type { CountedTask } from './fixtures/counting-child.js';
import { chunk, type ChunkStrategy } from './chunk.js';

const strategies = ['recursive', 'markdown', 'sentence', 'fixed'] as const;
const size = 300_000;
let counting: CountingProcess<CountedTask>;

beforeAll(async () => {
  counting = await CountingProcess.start(new URL('./fixtures/counting-child.js', import.meta.url));
});
afterAll(() => counting.stop());

describe('the work of cutting a text into chunks grows no faster than its', () => {
  for (const [dimension, make] of Object.entries(growingTexts)) {
    for (const strategy of strategies) {
      it(`${dimension}, ${strategy}`, async () => {
        expect(await counting.excess(2000, (n) => ({ text: make(n), strategy }))).toBeLessThanOrEqual(0);
      });
    }
  }
});

// A regular expression that takes quadratic time would be busy for minutes.
function emptyPieces(text: string, strategy: ChunkStrategy): number {
  let count = 0;
  for (const { start, end } of chunk(text, { strategy, chunkSize: 1000, chunkOverlap: 500 })) if (end <= start) count++;
  return count;
}

describe('a text is cut to its end when it is 300,000', () => {
  for (const [dimension, make] of Object.entries(growingTexts)) {
    it(dimension, () => {
      // Some repeat several characters: as often as makes 300,000 of them.
      const text = make(size / (make(10_000).length / 10_000));
      for (const strategy of strategies) expect(emptyPieces(text, strategy)).toBe(0);
    });
  }
});
