import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { growingTexts } from './fixtures/growing-text.js';
import { Scratch } from './fixtures/scratch.js';
import { defaultLimits } from './limits.js';
import { createLocalExtractor } from './local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
const size = 300_000;
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

async function read(contentType: string, text: string): Promise<void> {
  try {
    await scratch.run(extractor, 'file', contentType, text);
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    expect(error.code).toBe('file_too_large');
  }
}

// Each text takes seconds. A regular expression with quadratic time would need minutes for each.
describe('a text is read to its end when it has 300,000', () => {
  for (const [dimension, make] of Object.entries(growingTexts)) {
    it(dimension, async () => {
      // Texts of several characters repeat until they have so many characters.
      const text = make(size / (make(10_000).length / 10_000));
      for (const contentType of [
        'text/plain',
        'text/markdown',
        'text/html',
        'application/xhtml+xml',
        'application/json',
      ])
        await read(contentType, text);
    });
  }
});
