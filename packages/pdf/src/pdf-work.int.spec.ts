// Real: the engine, in a process that counts its JavaScript. The native code of pdfium is not counted.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CountingProcess } from './fixtures/counting-process.js';
import { growingPdf } from './fixtures/growing-pdf.js';

const usualSize = 300;
/** A page with fewer boxes takes other paths. */
const boxes = 1_200;
let counting: CountingProcess<Uint8Array>;

beforeAll(async () => {
  counting = await CountingProcess.start(new URL('./fixtures/counting-child.js', import.meta.url));
});
afterAll(() => counting.stop());

describe('the work of reading a PDF grows no faster than its', () => {
  for (const [dimension, make] of Object.entries(growingPdf)) {
    const size = dimension === 'boxes with text' ? boxes : usualSize;
    it(dimension, async () => expect(await counting.excess(size, make)).toBeLessThanOrEqual(0));
  }
});
