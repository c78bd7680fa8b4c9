import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { makeDocx, paragraph } from './fixtures/make-docx.js';
import { emlType, makeEml } from './fixtures/make-eml.js';
import { epubType, makeEpub } from './fixtures/make-epub.js';
import { makeJpeg, makeWav } from './fixtures/make-media.js';
import * as odf from './fixtures/make-odf.js';
import { makePptx, pptxType } from './fixtures/make-pptx.js';
import { makeXlsx, textRow, xlsxType } from './fixtures/make-xlsx.js';
import { docxType, Scratch } from './fixtures/scratch.js';
import { defaultLimits } from './limits.js';
import { createLocalExtractor } from './local-extractor.js';

const core =
  '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Kilns</dc:title><dc:creator>Ada</dc:creator><dc:subject>Clay</dc:subject><cp:category>Craft</cp:category><cp:lastModifiedBy>Grace</cp:lastModifiedBy><dcterms:created>2024-05-01T09:30:00Z</dcterms:created><dcterms:modified>soon</dcterms:modified></cp:coreProperties>';
const application =
  '<Properties><Application>Kiln Writer</Application><Pages>7</Pages><Company>Kiln Works</Company></Properties>';
const office = {
  title: 'Kilns',
  author: 'Ada',
  subject: 'Clay',
  category: 'Craft',
  last_modified_by: 'Grace',
  created: '2024-05-01T09:30:00Z',
  application: 'Kiln Writer',
  company: 'Kiln Works',
};
const officeParts = { 'docProps/core.xml': core, 'docProps/app.xml': application };

async function pdf(): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage();
  document.setSubject('Clay');
  document.setProducer('Kiln Press');
  document.setCreationDate(new Date('2024-05-01T09:30:00Z'));
  document.setModificationDate(new Date('2024-05-02T09:30:00Z'));
  await document.attach(Buffer.from('a'), 'a.txt');
  return Buffer.from(await document.save());
}

/** Each document, with the metadata that it states. */
const documents: readonly (readonly [name: string, type: string, content: () => unknown, expected: object])[] = [
  [
    'a docx',
    docxType,
    () =>
      makeDocx(
        paragraph('clay'),
        Object.fromEntries(Object.entries(officeParts).map(([name, xml]) => [name, Buffer.from(xml)])),
      ),
    { ...office, stated_page_count: 7, page_count: null },
  ],
  ['a pptx', pptxType, () => makePptx([{ shapes: '' }], officeParts), { ...office, page_count: 1 }],
  [
    'an xlsx',
    xlsxType,
    () => makeXlsx({ sheets: [{ name: 'Stock', rows: textRow(1, ['a']) }], extra: officeParts }),
    { ...office, sheet_count: 1, sheet_names: ['Stock'] },
  ],
  [
    'an odt',
    odf.odtType,
    () =>
      odf.makeOdf({
        type: odf.odtType,
        body: odf.paragraph('clay'),
        extra: {
          'meta.xml':
            '<m><meta><meta:initial-creator>Ada</meta:initial-creator><dc:creator>Grace</dc:creator><meta:generator>Kiln Writer</meta:generator><dc:date>2024-05-01T09:30:00.123456789</dc:date><meta:document-statistic meta:page-count="7"/></meta></m>',
        },
      }),
    {
      author: 'Ada',
      last_modified_by: 'Grace',
      application: 'Kiln Writer',
      modified: '2024-05-01T09:30:00.123',
      stated_page_count: 7,
    },
  ],
  [
    'a pdf',
    'application/pdf',
    pdf,
    {
      subject: 'Clay',
      producer: 'Kiln Press',
      created: '2024-05-01T09:30:00Z',
      modified: '2024-05-02T09:30:00Z',
      pdf_version: '1.7',
      is_tagged: false,
      attachment_count: 1,
      page_count: 1,
    },
  ],
  [
    'a book',
    epubType,
    () =>
      makeEpub([], {
        'OEBPS/book.opf':
          '<package version="3.0" xmlns:dc="d"><metadata><dc:date>2024-05</dc:date><dc:identifier>urn:isbn:1</dc:identifier><dc:contributor>Grace</dc:contributor><meta property="dcterms:modified">2024-05-01T09:30:00Z</meta></metadata></package>',
      }),
    {
      published: '2024-05',
      modified: '2024-05-01T09:30:00Z',
      identifier: 'urn:isbn:1',
      contributor: 'Grace',
      epub_version: '3.0',
    },
  ],
  [
    'an e-mail',
    emlType,
    () =>
      makeEml([{ type: 'text/plain', content: 'clay' }], 'Kilns', 'In-Reply-To: <1@a.example>\r\nBcc: c@c.example\r\n'),
    {
      title: 'Kilns',
      subject: 'Kilns',
      from: 'Ada Lovelace <ada@a.example>',
      to: ['b@b.example'],
      bcc: ['c@c.example'],
      in_reply_to: '<1@a.example>',
      sent_at: '2022-12-21T16:28:53.000Z',
    },
  ],
  [
    'an HTML page',
    'text/html',
    () =>
      '<meta name="keywords" content="clay, kiln"><meta property="og:site_name" content="Kiln Works"><meta property="article:published_time" content="2024-05-01T09:30:00+02:00"><meta property="article:modified_time" content="later">',
    { keywords: 'clay, kiln', site_name: 'Kiln Works', published: '2024-05-01T09:30:00+02:00' },
  ],
  [
    'a csv',
    'text/csv',
    () => 'name,pieces\nBowl,12\n',
    { row_count: 1, column_count: 2, column_names: ['name', 'pieces'] },
  ],
  [
    'a notebook',
    'application/x-ipynb+json',
    () =>
      JSON.stringify({
        cells: [
          { cell_type: 'code', source: 'x' },
          { cell_type: 'markdown', source: 'clay' },
        ],
        metadata: { kernelspec: { display_name: 'Python 3', language: 'python' } },
        nbformat: 4,
        nbformat_minor: 5,
      }),
    { cell_count: 2, code_cell_count: 1, code_language: 'python', kernel: 'Python 3', notebook_format: '4.5' },
  ],
  [
    'an RTF',
    'application/rtf',
    () => '{\\rtf1{\\info{\\creatim\\yr2024\\mo5\\dy1}{\\revtim\\yr2024\\mo0\\dy0}}x}',
    { created: '2024-05-01' },
  ],
  [
    'an image',
    'image/jpeg',
    () => makeJpeg(40, 30, { 0x0131: 'Kiln Lab', 0x0132: '2024:05:01 09:30:00' }),
    { width: 40, height: 30, format: 'jpg', software: 'Kiln Lab', modified: '2024-05-01T09:30:00' },
  ],
  [
    'a recording',
    'audio/wav',
    () => makeWav(2, { IART: 'Ada', ICRD: '2024-05-01', ITRK: '3' }),
    {
      author: 'Ada',
      duration_seconds: 2,
      sample_rate_hertz: 8000,
      channels: 1,
      bits_per_sample: 8,
      is_lossless: true,
      released: '2024-05-01',
      track_number: 3,
    },
  ],
];

describe('what a document states about itself', () => {
  const extractor = createLocalExtractor(defaultLimits);
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await Scratch.make();
  });
  afterAll(() => scratch.remove());

  for (const [name, type, content, expected] of documents)
    it(`is in the metadata of ${name}, and what is no date is left out`, async () => {
      const { metadata } = await scratch.run(extractor, 'a', type, (await content()) as Buffer | string);
      expect(metadata).toMatchObject(expected);
      const dates = ['created', 'modified', 'published', 'released'].filter((field) => !(field in expected));
      for (const field of dates) expect(metadata).not.toHaveProperty([field]);
    });
});
