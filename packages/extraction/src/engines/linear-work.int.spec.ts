import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { WorkCounter } from '../fixtures/count-work.js';
import { growingDocx } from '../fixtures/growing-docx.js';
import { growingHtml } from '../fixtures/growing-html.js';
import { growingTexts } from '../fixtures/growing-text.js';
import { docxType, Scratch } from '../fixtures/scratch.js';

// The engine counts what it loads from here on.
const counter = await WorkCounter.start();
const { createLocalExtractor } = await import('./local-extractor.js');
const { chunk } = await import('../chunk/chunk.js');
const { ExtractionError } = await import('../extraction-error.js');
const { defaultLimits } = await import('../limits.js');

// Documents beyond a limit count too: with this one, spans reach it at once.
const extractor = createLocalExtractor({ ...defaultLimits, outputBytesMax: 100_000 });
/** What differs from run to run, besides the reading. */
const workOfOneRun = 20_000;
let scratch: Scratch;

before(async () => {
  scratch = await Scratch.make();
});
after(async () => {
  counter.stop();
  await scratch.remove();
});

/** Reads a document to its markdown, or to the error that names the limit it is beyond. */
async function read(contentType: string, content: Buffer | string): Promise<void> {
  try {
    await scratch.run(extractor, 'file', contentType, content);
  } catch (error) {
    assert.ok(error instanceof ExtractionError, String(error));
    assert.match(error.code, /^(?:file_too_large|corrupt_file)$/);
  }
}

/**
 * From 2n to 4n, twice the work is added that was added from n to 2n. A limit that is reached at 2n leaves less work than
 * there was at n: then all of it may double.
 */
async function assertLinear(n: number, task: (n: number) => () => unknown): Promise<void> {
  await counter.count(task(n));
  const [once, twice, fourTimes] = [
    await counter.count(task(n)),
    await counter.count(task(2 * n)),
    await counter.count(task(4 * n)),
  ];
  const grown = twice > once ? twice - once : twice;
  assert.ok(
    fourTimes - twice <= 2.5 * grown + workOfOneRun,
    `${once} blocks of code for ${n}, ${twice} for ${2 * n}, ${fourTimes} for ${4 * n}`,
  );
}

describe('the work of reading a page grows no faster than its', () => {
  for (const [dimension, make] of Object.entries(growingHtml)) {
    it(dimension, () =>
      assertLinear(200, (n) => {
        const page = make(n);
        return () => read('text/html', page);
      }),
    );
  }
});

describe('the work of reading a Word document grows no faster than its', () => {
  for (const [dimension, make] of Object.entries(growingDocx)) {
    it(dimension, () =>
      assertLinear(150, (n) => {
        const content = make(n);
        return () => read(docxType, content);
      }),
    );
  }
});

describe('the work of reading a text grows no faster than its', () => {
  for (const [dimension, make] of Object.entries(growingTexts)) {
    for (const contentType of ['text/plain', 'text/markdown', 'text/csv', 'application/json']) {
      it(`${dimension}, as ${contentType}`, () =>
        assertLinear(1000, (n) => {
          const text = make(n);
          return () => read(contentType, text);
        }));
    }
  }
});

describe('the work of cutting a text into chunks grows no faster than its', () => {
  for (const [dimension, make] of Object.entries(growingTexts)) {
    for (const strategy of ['recursive', 'markdown', 'sentence', 'fixed'] as const) {
      it(`${dimension}, ${strategy}`, () =>
        assertLinear(2000, (n) => {
          const text = make(n);
          return () => [...chunk(text, { strategy, chunkSize: 200, chunkOverlap: 100 })].length;
        }));
    }
  }
});
