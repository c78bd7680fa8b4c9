// Real: the engine, in a process that counts its JavaScript. The native code of pdfium is not counted.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CountingProcess } from '../../fixtures/counting-process.js';
import { growingPdf } from '../../fixtures/growing-pdf.js';

/** What differs from run to run, besides the reading. */
const workOfOneRun = 20_000;
const usualSize = 300;
/** A page with fewer boxes is read in other ways. */
const boxes = 1_200;
let counting: CountingProcess;

beforeAll(async () => {
  counting = await CountingProcess.start();
});
afterAll(() => counting.stop());

describe('the work of reading a PDF grows no faster than its', () => {
  for (const [dimension, make] of Object.entries(growingPdf)) {
    const size = dimension === 'boxes with text' ? boxes : usualSize;
    it(dimension, async () => {
      const count = (n: number): Promise<number> =>
        counting.count({ contentType: 'application/pdf', content: make(n) });
      await count(size);
      const [once, twice, fourTimes] = [await count(size), await count(2 * size), await count(4 * size)];
      expect(once).toBeGreaterThan(0);
      // From 2n to 4n, twice the work is added that was added from n to 2n. A limit that is reached at 2n leaves less.
      const grown = twice > once ? twice - once : twice;
      expect(fourTimes - twice).toBeLessThanOrEqual(2.5 * grown + workOfOneRun);
    });
  }
});
