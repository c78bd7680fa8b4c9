// Documents of each kind with a number of pages. A page has some 3,000 characters: a heading, paragraphs and a table.
import { makeDocx, paragraph, table } from '@kiln/readers/fixtures/make-docx';
import { emlType, makePlainEml } from '@kiln/readers/fixtures/make-eml';
import { epubType, makeEpub } from '@kiln/readers/fixtures/make-epub';
import * as odf from '@kiln/readers/fixtures/make-odf';
import { makePptx, pptxType, shape, slideCell, slideTable, textLine } from '@kiln/readers/fixtures/make-pptx';
import { docxType } from '@kiln/readers/fixtures/scratch';
import { makeXlsx, textRow, xlsxType } from '@kiln/readers/fixtures/make-xlsx';
import { pdfDocument } from '../pipeline/documents.js';

export interface SizedDocument {
  filename: string;
  contentType: string;
  bytes: Buffer;
}

const WORDS = 'river stone furnace ledger harvest signal copper meadow archive vessel lantern orchard'.split(' ');
const ROWS = 10;

const sentence = (page: number, at: number) =>
  `${Array.from({ length: 13 }, (_, word) => WORDS[(page * 7 + at * 5 + word * 3) % WORDS.length]).join(' ')}.`;
const text = (page: number, at: number) =>
  Array.from({ length: 6 }, (_, line) => sentence(page, at * 6 + line)).join(' ');
const heading = (page: number) => `Chapter ${page + 1}`;
const texts = (page: number) => Array.from({ length: 5 }, (_, at) => text(page, at));
const cells = (page: number) =>
  Array.from({ length: ROWS }, (_, row) => [`${WORDS[row]} ${page}`, `${page * row}`, `${row}.5`]);
const pagesOf = <Page>(count: number, page: (at: number) => Page) => Array.from({ length: count }, (_, at) => page(at));
const html = (page: number) =>
  `<h1>${heading(page)}</h1>${texts(page)
    .map((one) => `<p>${one}</p>`)
    .join('')}<table>${cells(page)
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</table>`;
const document = (extension: string, contentType: string, bytes: Buffer): SizedDocument => ({
  filename: `a.${extension}`,
  contentType,
  bytes,
});

/** The kinds, and a document of each with so many pages. */
export const documents: Readonly<Record<string, (pages: number) => SizedDocument | Promise<SizedDocument>>> = {
  pdf: async (pages) => {
    const { bytes } = await pdfDocument(pages);
    return document('pdf', 'application/pdf', bytes);
  },
  docx: (pages) => {
    const body = pagesOf(pages, (at) => [
      paragraph(heading(at), 'Heading1'),
      ...texts(at).map((one) => paragraph(one)),
      table(cells(at)),
    ]);
    return document('docx', docxType, makeDocx(body.flat().join('')));
  },
  pptx: (pages) =>
    document(
      'pptx',
      pptxType,
      makePptx(
        pagesOf(pages, (at) => ({
          shapes:
            shape('title', textLine(heading(at))) +
            shape(
              'body',
              texts(at)
                .map((one) => textLine(one))
                .join(''),
            ) +
            slideTable(cells(at).map((row) => row.map((cell) => slideCell(cell)).join(''))),
        })),
      ),
    ),
  xlsx: (pages) => {
    const rows = pagesOf(pages, (at) => [...texts(at).map((one) => [one]), ...cells(at)]).flat();
    const written = rows.map((row, at) => textRow(at + 1, row)).join('');
    return document('xlsx', xlsxType, makeXlsx({ sheets: [{ name: 'S', rows: written }] }));
  },
  odt: (pages) => {
    const body = pagesOf(pages, (at) => [
      ...texts(at).map((one) => odf.paragraph(one)),
      odf.table(cells(at).map((row) => row.map((cell) => odf.cell(cell)).join(''))),
    ]);
    return document('odt', odf.odtType, odf.makeOdf({ type: odf.odtType, body: body.flat().join('') }));
  },
  epub: (pages) => document('epub', epubType, makeEpub(pagesOf(pages, html))),
  html: (pages) =>
    document('html', 'text/html', Buffer.from(`<!doctype html><body>${pagesOf(pages, html).join('')}</body>`)),
  eml: (pages) => document('eml', emlType, makePlainEml(pagesOf(pages, (at) => texts(at).join('\n\n')).join('\n\n'))),
  csv: (pages) => {
    const rows = pagesOf(pages, (at) => [...texts(at).map((one) => [one, '', '']), ...cells(at)]).flat();
    return document('csv', 'text/csv', Buffer.from(rows.map((row) => row.join(',')).join('\n')));
  },
};
