// Real: the engines and their scratch files. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomCases, testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { makeDocx, paragraph, table } from './fixtures/make-docx.js';
import { makePlainEml } from './fixtures/make-eml.js';
import * as odf from './fixtures/make-odf.js';
import { makePdf } from '@kiln/pdf/fixtures/make-pdf';
import { makePptx, pptxType, shape, slideCell, slideTable, textLine } from './fixtures/make-pptx.js';
import { makeXlsx, textRow, xlsxType } from './fixtures/make-xlsx.js';
import { hostilePieces, liveHtml, renderMarkdown } from './fixtures/render-markdown.js';
import { docxType, Scratch } from './fixtures/scratch.js';
import { defaultLimits } from './limits.js';
import { createLocalExtractor } from './local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

/** A tab ends a mark at the beginning of a line as a space does. */
const tabbed: [string][] = [['-\tx'], ['1.\tx'], ['#\tx'], ['x\t#'], ['-\t-\t-']];

const casesOf = (stress: number): number => randomCases({ gate: Math.ceil(stress / 3), stress });

const hostileText = fc
  .array(fc.constantFrom(...hostilePieces), { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join(''));
const forAll = (property: (text: string) => Promise<void>, stress: number): Promise<void> =>
  fc.assert(fc.asyncProperty(hostileText, property), { numRuns: casesOf(stress), seed: testSeed(), examples: tabbed });

async function markdownOf(filename: string, contentType: string, content: Buffer | string): Promise<string> {
  return (await scratch.run(extractor, filename, contentType, content)).markdown;
}
const ofHtml = (html: string): Promise<string> => markdownOf('a.html', 'text/html', html);

/** The text as a reader sees it, without white space and control characters. */
// oxlint-disable-next-line no-control-regex -- they are never shown
const seen = (text: string): string => text.replace(/[\s\u0000-\u001f]/g, '');

/** A text as the content of an element or of an attribute, in HTML and XML. */
const quoted = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- XML has no way to write them
    .replace(/[\u0000-\u0008]/g, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');

function assertSafeTargets(elements: readonly string[]): void {
  for (const element of elements) {
    const target = /^(?:a href|img src)=(\S*)/.exec(element)?.[1];
    if (target === undefined || !URL.canParse(target, 'http://base.example')) continue;
    expect(new URL(target, 'http://base.example').protocol).toMatch(
      /^(?:https?|mailto|tel|s?ftps?|news|geo|doi|urn):$/,
    );
  }
}

function assertHarmless(markdown: string): void {
  expect(liveHtml(markdown)).toStrictEqual([]);
  assertSafeTargets(renderMarkdown(markdown).elements);
}

const tableElements = (rows: number, columns: number): string[] => [
  'table',
  'thead',
  'tr',
  ...Array.from({ length: columns }, () => 'th'),
  'tbody',
  ...Array.from({ length: rows }, () => ['tr', ...Array.from({ length: columns }, () => 'td')]).flat(),
];

describe('literal text of HTML, once rendered, is what it was and no element', () => {
  const places: readonly (readonly [place: string, html: (text: string) => string, elements: readonly string[]])[] = [
    ['in a paragraph', (text) => `<p>${quoted(text)}</p>`, ['p']],
    ['in a heading', (text) => `<h2>${quoted(text)}</h2>`, ['h2']],
    ['in a list item', (text) => `<ul><li>${quoted(text)}</li></ul>`, ['ul', 'li']],
    ['in a quote', (text) => `<blockquote>${quoted(text)}</blockquote>`, ['blockquote', 'p']],
    ['in a block of code', (text) => `<pre>${quoted(text)}</pre>`, ['pre', 'code']],
    ['in a code span', (text) => `<p><code>${quoted(text)}</code></p>`, ['p', 'code']],
    [
      'in an element for each character',
      (text) => `<p>${Array.from(text, (character) => `<span>${quoted(character)}</span>`).join('')}</p>`,
      ['p'],
    ],
    ['in the alternative of a picture that is left out', (text) => `<p><img alt="${quoted(text)}"></p>`, ['p']],
    ['in a link that is left out', (text) => `<p><a href="java\tscript:alert(1)">${quoted(text)}</a></p>`, ['p']],
  ];
  for (const [place, html, elements] of places) {
    it(place, () =>
      forAll(async (text) => {
        const found = renderMarkdown(await ofHtml(html(text)));
        expect(found.text).toBe(seen(text));
        expect(found.elements).toStrictEqual(seen(text) === '' ? [] : elements);
      }, 300),
    );
  }

  it('in the title that a heading gives the document', () =>
    forAll(async (text) => {
      const { metadata } = await scratch.run(extractor, 'a.html', 'text/html', `<h1>${quoted(text)}</h1>`);
      expect(seen(metadata.title ?? '')).toBe(seen(text));
    }, 300));

  it('in the cells, the caption and the code of a table', () =>
    forAll(async (text) => {
      const cell = quoted(text);
      const found = renderMarkdown(
        await ofHtml(
          `<table><caption>${cell}</caption><tr><th>a</th><th>${cell}</th></tr><tr><td>b<td>${cell}</td></tr><tr><td>c<td><code>${cell}</code></table>`,
        ),
      );
      expect(found.text).toBe(`${seen(text)}a${seen(text)}b${seen(text)}c${seen(text)}`);
      const unexpected = found.elements.filter((element) => element !== 'p' && element !== 'code');
      expect(unexpected).toStrictEqual(tableElements(2, 2));
    }, 300));

  it('next to marks, links, code and pictures', () =>
    fc.assert(
      fc.asyncProperty(fc.array(hostileText, { minLength: 5, maxLength: 5 }), async (texts) => {
        const [plain = '', bold = '', link = '', code = '', picture = ''] = texts.map(quoted);
        const found = renderMarkdown(
          await ofHtml(
            `<p>${plain}<b>${bold}</b><a href="/x">${link}</a><code>${code}</code>${plain}<img src="/y" alt="${picture}">`,
          ),
        );
        const kinds = found.elements.map((element) => element.replace(/^(img src=\/y alt=).*/s, '$1'));
        for (const kind of kinds) expect(['p', 'strong', 'a href=/x', 'code', 'img src=/y alt=']).toContain(kind);
        expect(kinds).toStrictEqual([...new Set(kinds)]);
        const alternative = found.elements
          .find((element) => element.startsWith('img'))
          ?.slice('img src=/y alt='.length);
        expect(seen(alternative ?? '')).toBe(seen(texts[4] ?? ''));
      }),
      { numRuns: casesOf(300), seed: testSeed() },
    ));
});

describe('an address', () => {
  const pieces = [
    'javascript:',
    'JAVA',
    'script',
    ':',
    '&colon;',
    '&#58;',
    '&amp;',
    '\t',
    '\n',
    '\u0001',
    ' ',
    '/',
    '#',
    '?',
  ];
  const address = fc
    .array(fc.constantFrom(...pieces, ...hostilePieces, 'data:text/html,', 'vbscript:', 'http://a.example/'), {
      minLength: 1,
      maxLength: 6,
    })
    .map((parts) => parts.join(''));

  it('of a link or a picture never runs anything, and never leaves its place', () =>
    fc.assert(
      fc.asyncProperty(address, async (href) => {
        const found = renderMarkdown(
          await ofHtml(`<p><a href="${quoted(href)}">words</a> <img alt="words" src="${quoted(href)}"></p>`),
        );
        expect(found.text.replace('words', '').replace('words', '')).toBe('');
        for (const element of found.elements) expect(element).toMatch(/^(?:p|a href=\S*|img src=\S* alt=words)$/);
        assertSafeTargets(found.elements);
      }),
      { numRuns: casesOf(500), seed: testSeed() },
    ));
});

describe('literal text of other files, once rendered,', () => {
  it('is what it was in the paragraphs, headings and cells of a docx', () =>
    forAll(async (text) => {
      const body =
        paragraph(quoted(text), 'Heading1') +
        paragraph(quoted(text)) +
        table([
          ['a', 'b'],
          ['c', quoted(text)],
        ]);
      const found = renderMarkdown(await markdownOf('a.docx', docxType, makeDocx(body)));
      expect(found.text).toBe(`${seen(text)}${seen(text)}abc${seen(text)}`);
      expect(found.elements.filter((element) => element !== 'p' && element !== 'h1')).toStrictEqual(
        tableElements(1, 2),
      );
    }, 100));

  it('is what it was in the titles, lists, notes and cells of a presentation', () =>
    forAll(async (text) => {
      const cell = quoted(text);
      const shapes =
        shape('title', textLine(cell)) +
        shape('body', textLine(cell)) +
        slideTable([slideCell('a') + slideCell('b'), slideCell('c') + slideCell(cell)]);
      const content = makePptx([{ shapes, notes: shape('body', textLine(cell)) }]);
      const found = renderMarkdown(await markdownOf('a.pptx', pptxType, content));
      const notes = seen(text) === '' ? '' : `Notes${seen(text)}`;
      expect(found.text).toBe(`${seen(text)}${seen(text)}abc${seen(text)}${notes}`);
      const unexpected = found.elements.filter((element) => !/^(?:h1|ul|li|p|blockquote|strong)$/.test(element));
      expect(unexpected).toStrictEqual(tableElements(1, 2));
    }, 100));

  it('is what it was in the names, paragraphs and cells of a workbook', () =>
    forAll(async (text) => {
      const cell = quoted(text);
      const rows = textRow(1, ['a', 'b']) + textRow(2, ['c', cell]) + textRow(4, [cell]);
      const content = makeXlsx({ sheets: [{ name: cell, rows }] });
      const found = renderMarkdown(await markdownOf('a.xlsx', xlsxType, content));
      expect(found.text).toBe(`${seen(text)}abc${seen(text)}${seen(text)}`);
      const unexpected = found.elements.filter((element) => !/^(?:h2|p|br)$/.test(element));
      expect(unexpected).toStrictEqual(tableElements(1, 2));
    }, 100));

  it('is what it was in the headings, lists, notes and cells of an OpenDocument text', () =>
    forAll(async (text) => {
      const words = quoted(text);
      const note = `<text:note><text:note-citation>1</text:note-citation><text:note-body>${odf.paragraph(words)}</text:note-body></text:note>`;
      const body =
        `<text:h text:outline-level="1">${words}</text:h>` +
        odf.list([odf.paragraph(words), odf.paragraph('x')]) +
        odf.table([odf.cell('a') + odf.cell('b'), odf.cell('c') + odf.cell(words)]) +
        odf.paragraph(note);
      const found = renderMarkdown(await markdownOf('a.odt', odf.odtType, odf.makeOdf({ type: odf.odtType, body })));
      expect(found.text).toBe(`${seen(text)}${seen(text)}xabc${seen(text)}[1]Notes[1]${seen(text)}`);
      const unexpected = found.elements.filter((element) => !/^(?:h1|ul|li|p|strong)$/.test(element));
      expect(unexpected).toStrictEqual(tableElements(1, 2));
    }, 100));

  it('is what it was in the paragraphs, lists and cells of Rich Text', () =>
    forAll(async (text) => {
      const words = Array.from(text, (character) => `\\u${Math.max(character.charCodeAt(0), 32)}?`).join('');
      const row = (cells: readonly string[]): string =>
        `\\trowd\\pard\\intbl ${cells.map((cell) => `${cell}\\cell `).join('')}\\row `;
      const rtf = `{\\rtf1\\ansi ${words}\\par\\pard{\\pntext 1.}x${words}\\par${row(['a', 'b'])}${row(['c', words])}}`;
      const found = renderMarkdown(await markdownOf('a.rtf', 'application/rtf', rtf));
      expect(found.text).toBe(`${seen(text)}x${seen(text)}abc${seen(text)}`);
      const unexpected = found.elements.filter((element) => !/^(?:p|ol|li)$/.test(element));
      expect(unexpected).toStrictEqual(tableElements(1, 2));
    }, 100));

  it('is what it was in the cells of a csv', () =>
    forAll(async (text) => {
      const cell = `"${text.replaceAll('"', '""')}"`;
      const found = renderMarkdown(await markdownOf('a.csv', 'text/csv', `a,${cell}\nb,${cell}\n`));
      expect(found.text).toBe(`a${seen(text)}b${seen(text)}`);
      expect(found.elements).toStrictEqual(tableElements(1, 2));
    }, 300));

  it('is what it was in the fence of a file written for machines', () =>
    forAll(async (text) => {
      const found = renderMarkdown(await markdownOf('a.json', 'application/json', text));
      expect(found.text).toBe(seen(text));
      expect(found.elements).toStrictEqual(seen(text) === '' ? found.elements : ['pre', 'code class=language-json']);
    }, 300));

  it('is no HTML and runs nothing in plain text', () =>
    forAll(async (text) => {
      assertHarmless(await markdownOf('a.txt', 'text/plain', `${text}\n${text}\n\n${text}`));
    }, 1000));

  it('is no HTML and runs nothing in an e-mail', () =>
    forAll(async (text) => {
      const subject = `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
      assertHarmless(await markdownOf('a.eml', 'message/rfc822', makePlainEml(`${text}\n\n${text}`, subject)));
    }, 300));

  it('is no HTML and runs nothing in a pdf', () =>
    forAll(async (text) => {
      const shown = text.replace(/[^\u0020-\u007e]/g, '');
      const content = await makePdf({ pages: [[{ text: shown, size: 20 }, { text: shown }, { text: `1 ${shown}` }]] });
      assertHarmless(await markdownOf('a.pdf', 'application/pdf', content));
    }, 60));

  it('links of a pdf only lead where they may', async () => {
    const lines = [
      { text: 'a page', address: 'http://a.example/a(b)?c=d' },
      { text: 'a script', address: 'javascript:alert(1)' },
      { text: 'a document', address: 'data:text/html,<script>alert(1)</script>' },
    ];
    const markdown = await markdownOf('a.pdf', 'application/pdf', await makePdf({ pages: [lines] }));
    assertHarmless(markdown);
    expect(renderMarkdown(markdown).elements.filter((element) => element.startsWith('a '))).toStrictEqual([
      'a href=http://a.example/a%28b%29?c=d',
    ]);
  });
});
