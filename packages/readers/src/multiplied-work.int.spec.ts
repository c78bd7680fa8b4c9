// Documents in which a few bytes ask for many cells. Counted, not timed: see linear-work.int.spec.ts.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CountingProcess } from '@kiln/pdf/fixtures/counting-process';
import * as odf from './fixtures/make-odf.js';
import { makeDocx, paragraph } from './fixtures/make-docx.js';
import { chartPart, frame, makePptx, pptxType } from './fixtures/make-pptx.js';
import { columnName, makeXlsx, textCell, xlsxType } from './fixtures/make-xlsx.js';
import type { CountedTask } from './fixtures/counting-child.js';
import { rawPdf } from '@kiln/pdf/fixtures/raw-pdf';
import { docxType } from './fixtures/scratch.js';

/** The counting process reads up to this many characters of markdown. */
const markdownCharactersMax = 100_000;
/** The number of entered blocks of code for each byte of the document and each character that its markdown may have. */
const blocksMax = 25;

const times = (text: string, count: number): string => text.repeat(count);
const blankText = times(' ', 5_000);
const repeatedTable = (content: string): string =>
  `<table:table><table:table-row table:number-rows-repeated="200"><table:table-cell table:number-columns-repeated="200">${content}</table:table-cell></table:table-row></table:table>`;
const repeatedRow = (cells: string): string =>
  `<table:table><table:table-row table:number-rows-repeated="1000000">${cells}</table:table-row></table:table>`;

const chart = chartPart('x', ['a'], { s: Array.from({ length: 3_000 }, () => 1) });
const charts = { id: 'c', type: 'chart', target: '../charts/chart1.xml' };

const documents: Readonly<Record<string, readonly [contentType: string, content: Buffer | string]>> = {
  'tables of empty cells that span others': [
    'text/html',
    times(`<table><tr>${times('<td colspan=200 rowspan=5000>', 100)}${times('<tr><td>', 40)}</table>`, 40),
  ],
  'short rows below a wide one': ['text/csv', `${times(',', 50_000)}x\n${times('x\n', 30_000)}`],
  'empty cells of a row of a sheet that repeats': [
    odf.odsType,
    odf.makeOdf({ type: odf.odsType, body: repeatedRow(times('<table:table-cell/>', 2_000) + odf.cell('x')) }),
  ],
  'blank cells and rows of a sheet that repeat': [
    odf.odsType,
    odf.makeOdf({
      type: odf.odsType,
      body: repeatedRow(odf.cell(blankText, ' table:number-columns-repeated="16384"')),
    }),
  ],
  'tables in cells that repeat': [
    odf.odtType,
    odf.makeOdf({ type: odf.odtType, body: repeatedTable(repeatedTable(repeatedTable(odf.paragraph('x')))) }),
  ],
  'blank text in cells that repeat': [
    odf.odtType,
    odf.makeOdf({
      type: odf.odtType,
      body: odf.table([times(odf.cell(blankText, ' table:number-columns-repeated="200"'), 50)]),
    }),
  ],
  'blocks of cells far from each other in a sheet': [
    xlsxType,
    makeXlsx({
      sheets: [
        {
          name: 'S',
          rows: Array.from({ length: 500 }, (_, at) => {
            const row = 2_000 * at + 1;
            return `<row r="${row}">${textCell(`A${row}`, 'x')}${textCell(`${columnName(30 * at + 2)}${row}`, 'x')}</row>`;
          }).join(''),
        },
      ],
    }),
  ],
  'cells of a document that span columns and rows': [
    docxType,
    makeDocx(
      times(
        `<w:tbl>${times(`<w:tr>${times(`<w:tc><w:tcPr><w:gridSpan w:val="5000"/><w:vMerge/></w:tcPr>${paragraph('')}</w:tc>`, 5)}</w:tr>`, 20)}</w:tbl>`,
        3,
      ),
    ),
  ],
  'cells of rich text that others cover': [
    'application/rtf',
    `{\\rtf1 ${times(`\\trowd${times('\\clvmrg\\cellx1', 100)} ${times('\\intbl\\cell ', 100)}\\row `, 300)}}`,
  ],
  'tagged cells that span columns and rows': [
    'application/pdf',
    rawPdf({
      contents: ['/TD <</MCID 0>> BDC BT /F1 10 Tf 50 700 Td (x) Tj ET EMC\n'],
      structure: Array.from({ length: 20 }, () => ({
        type: 'Table',
        children: Array.from({ length: 40 }, (_row, row) => ({
          type: 'TR',
          children: Array.from({ length: 20 }, (_cell, cell) => ({
            type: 'TD',
            attributes: '<< /O /Table /ColSpan 5000 /RowSpan 5000 >>',
            ...(row === 0 && cell === 0 && { contentId: 0 }),
          })),
        })),
      })),
    }),
  ],
  'points of a chart whose format follows them': [
    pptxType,
    makePptx([{ shapes: frame('<c:chart r:id="c"/>'), relationships: [charts] }], {
      'ppt/charts/chart1.xml': chart.replace(
        /<c:formatCode>General<\/c:formatCode>(.*)<\/c:numCache>/s,
        `$1<c:formatCode>${times('<c:x/>', 3_000)}General</c:formatCode></c:numCache>`,
      ),
    }),
  ],
};

let counting: CountingProcess<CountedTask>;

beforeAll(async () => {
  counting = await CountingProcess.start(new URL('./fixtures/counting-child.js', import.meta.url));
});
afterAll(() => counting.stop());

describe('the work of reading a document is bounded by its bytes and its limit, whatever it repeats:', () => {
  it.each(Object.entries(documents))('%s', async (_what, [contentType, content]) => {
    const task = { contentType, content };
    // The first run also counts the loading of the engine.
    await counting.count(task);
    const blocks = await counting.count(task);
    expect(blocks).toBeLessThan(blocksMax * (content.length + markdownCharactersMax));
  });
});
