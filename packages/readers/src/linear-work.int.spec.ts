import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CountingProcess } from '@kiln/pdf/fixtures/counting-process';
import type { CountedTask } from './fixtures/counting-child.js';
import { growingDocx } from './fixtures/growing-docx.js';
import { growingEml } from './fixtures/growing-eml.js';
import { growingHtml } from './fixtures/growing-html.js';
import { growingOdf } from './fixtures/growing-odf.js';
import { growingPptx } from './fixtures/growing-pptx.js';
import { growingTexts } from './fixtures/growing-text.js';
import { growingXlsx } from './fixtures/growing-xlsx.js';
import { epubType, makeEpub } from './fixtures/make-epub.js';
import { pptxType } from './fixtures/make-pptx.js';
import { xlsxType } from './fixtures/make-xlsx.js';
import { docxType } from './fixtures/scratch.js';

let counting: CountingProcess<CountedTask>;

beforeAll(async () => {
  counting = await CountingProcess.start(new URL('./fixtures/counting-child.js', import.meta.url));
});
afterAll(() => counting.stop());

async function assertLinear(n: number, task: (n: number) => CountedTask): Promise<void> {
  expect(await counting.excess(n, task)).toBeLessThanOrEqual(0);
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

describe('the work of reading an e-mail grows no faster than its', () => {
  for (const [dimension, make] of Object.entries(growingEml)) {
    it(dimension, () => assertLinear(150, (n) => ({ contentType: 'message/rfc822', content: make(n) })));
  }
});

describe('the work of reading a book grows no faster than its', () => {
  const books: Readonly<Record<string, (n: number) => Buffer>> = {
    chapters: (n) => makeEpub(Array.from({ length: n }, () => '<p>x</p>')),
    'empty tags': (n) => makeEpub(['<a/>'.repeat(n)]),
    'beginnings of tags': (n) => makeEpub(['&lt;<a '.repeat(n)]),
    'links within the book': (n) => makeEpub(['<p><a href="x">x</a></p>'.repeat(n)]),
    'references to one chapter': (n) =>
      makeEpub(['<p>x</p>'.repeat(n)], {
        'OEBPS/book.opf': `<package><manifest><item id="c" href="c 0.xhtml"/></manifest><spine>${'<itemref idref="c"/>'.repeat(n)}</spine></package>`,
      }),
  };
  for (const [dimension, make] of Object.entries(books)) {
    it(dimension, () => assertLinear(150, (n) => ({ contentType: epubType, content: make(n) })));
  }
});

describe('the work of reading Rich Text grows no faster than its', () => {
  const bodies: Readonly<Record<string, (n: number) => string>> = {
    paragraphs: (n) => 'x\\par '.repeat(n),
    groups: (n) => '{\\b x}'.repeat(n),
    'groups in groups': (n) => `${'{'.repeat(n)}x${'}'.repeat(n)}`,
    'escaped bytes': (n) => "\\'e9".repeat(n),
    'control words': (n) => '\\b1'.repeat(n),
    'words that are no control words': (n) => '\\'.repeat(n),
    'characters of Unicode': (n) => '\\u233 ?'.repeat(n),
    links: (n) => '{\\field{\\*\\fldinst HYPERLINK "http://a.example"}{\\fldrslt x}}'.repeat(n),
    'links that do not end': (n) => '{\\field{\\*\\fldinst HYPERLINK "x}'.repeat(n),
    notes: (n) => 'x{\\footnote y}'.repeat(n),
    'cells of a row': (n) => `\\trowd\\intbl ${'x\\cell '.repeat(n)}\\row `,
    'rows of merged cells': (n) =>
      `\\trowd\\clvmgf\\cellx1\\intbl ${'x'.repeat(50)}\\cell\\row ${'\\trowd\\clvmrg\\cellx1\\intbl\\cell\\row '.repeat(n)}`,
    fonts: (n) => `{\\fonttbl${Array.from({ length: n }, (_, at) => `{\\f${at}\\fcharset0 x;}`).join('')}}x`,
    'names of styles': (n) => `{\\stylesheet${'{\\s1 x'.repeat(n)}`,
    'items of a list': (n) => '\\pard{\\pntext 1.}x\\par '.repeat(n),
  };
  for (const [dimension, make] of Object.entries(bodies)) {
    const content = (n: number): string => `{\\rtf1\\ansi ${make(n)}}`;
    it(dimension, () => assertLinear(300, (n) => ({ contentType: 'application/rtf', content: content(n) })));
  }
});

describe('the work of reading a notebook grows no faster than its', () => {
  const notebooks: Readonly<Record<string, (n: number) => object>> = {
    cells: (n) => Array.from({ length: n }, () => ({ cell_type: 'code', source: 'x' })),
    'lines of a cell': (n) => [{ cell_type: 'code', source: Array.from({ length: n }, () => 'x\n') }],
    outputs: (n) => [{ cell_type: 'code', outputs: Array.from({ length: n }, () => ({ text: '\u001b[0mx' })) }],
    'colours that do not end': (n) => [{ cell_type: 'code', outputs: [{ text: '\u001b[0'.repeat(n) }] }],
  };
  for (const [dimension, make] of Object.entries(notebooks)) {
    const content = (n: number): string => JSON.stringify({ cells: make(n) });
    it(dimension, () => assertLinear(500, (n) => ({ contentType: 'application/x-ipynb+json', content: content(n) })));
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
