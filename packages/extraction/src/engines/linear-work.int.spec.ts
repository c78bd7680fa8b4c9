import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CountingThread, type CountedTask } from '../fixtures/counting-thread.js';
import { growingDocx } from '../fixtures/growing-docx.js';
import { growingHtml } from '../fixtures/growing-html.js';
import { growingOdf } from '../fixtures/growing-odf.js';
import { growingPptx } from '../fixtures/growing-pptx.js';
import { growingTexts } from '../fixtures/growing-text.js';
import { growingXlsx } from '../fixtures/growing-xlsx.js';
import { pptxType } from '../fixtures/make-pptx.js';
import { xlsxType } from '../fixtures/make-xlsx.js';
import { docxType } from '../fixtures/scratch.js';

/** What differs from run to run, besides the reading. */
const workOfOneRun = 20_000;
let thread: CountingThread;

beforeAll(async () => {
  thread = await CountingThread.start();
});
afterAll(() => thread.stop());

/**
 * From 2n to 4n, twice the work is added that was added from n to 2n. A limit that is reached at 2n leaves less work than
 * there was at n: then all of it may double.
 */
async function assertLinear(n: number, task: (n: number) => CountedTask): Promise<void> {
  await thread.count(task(n));
  const [once, twice, fourTimes] = [
    await thread.count(task(n)),
    await thread.count(task(2 * n)),
    await thread.count(task(4 * n)),
  ];
  expect(once).toBeGreaterThan(0);
  const grown = twice > once ? twice - once : twice;
  expect(fourTimes - twice).toBeLessThanOrEqual(2.5 * grown + workOfOneRun);
}

describe('the work of reading a page grows no faster than its', () => {
  for (const [dimension, make] of Object.entries(growingHtml)) {
    it(dimension, () => assertLinear(200, (n) => ({ contentType: 'text/html', content: make(n) })));
  }
});

describe('the work of reading a Word document grows no faster than its', () => {
  for (const [dimension, make] of Object.entries(growingDocx)) {
    it(dimension, () => assertLinear(150, (n) => ({ contentType: docxType, content: make(n) })));
  }
});

describe('the work of reading a presentation grows no faster than its', () => {
  for (const [dimension, make] of Object.entries(growingPptx)) {
    it(dimension, () => assertLinear(100, (n) => ({ contentType: pptxType, content: make(n) })));
  }
});

describe('the work of reading a workbook grows no faster than its', () => {
  for (const [dimension, make] of Object.entries(growingXlsx)) {
    it(dimension, () => assertLinear(100, (n) => ({ contentType: xlsxType, content: make(n) })));
  }
});

describe('the work of reading an OpenDocument file grows no faster than its', () => {
  for (const [dimension, [contentType, make]] of Object.entries(growingOdf)) {
    it(dimension, () => assertLinear(100, (n) => ({ contentType, content: make(n) })));
  }
});

describe('the work of reading a text grows no faster than its', () => {
  for (const [dimension, make] of Object.entries(growingTexts)) {
    for (const contentType of ['text/plain', 'text/markdown', 'text/csv', 'application/json']) {
      it(`${dimension}, as ${contentType}`, () => assertLinear(1000, (n) => ({ contentType, content: make(n) })));
    }
  }
});

describe('the work of decoding a text grows no faster than its', () => {
  const characters: Readonly<Record<string, string>> = {
    'characters of Shift-JIS': '936392860a',
    'bytes that are no character of UTF-8': 'ff',
    'lines of Latin-1': 'e9740a61620a',
    'escape sequences': '1b24420a',
    'characters of UTF-16': '00306130',
  };
  for (const [dimension, hex] of Object.entries(characters)) {
    it(dimension, () =>
      assertLinear(10_000, (n) => ({ contentType: 'text/plain', content: Buffer.from(hex.repeat(n), 'hex') })),
    );
  }
});

describe('the work of cutting a text into chunks grows no faster than its', () => {
  for (const [dimension, make] of Object.entries(growingTexts)) {
    for (const strategy of ['recursive', 'markdown', 'sentence', 'fixed'] as const) {
      it(`${dimension}, ${strategy}`, () => assertLinear(2000, (n) => ({ text: make(n), strategy })));
    }
  }
});
