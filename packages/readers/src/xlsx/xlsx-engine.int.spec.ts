import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chartPart, relationships } from '../fixtures/make-pptx.js';
import {
  makeXlsx,
  type SheetFixture,
  textCell,
  textRow,
  type WorkbookFixture,
  xlsxType,
} from '../fixtures/make-xlsx.js';
import { makeZip } from '../fixtures/make-zip.js';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const read = (content: Buffer): ReturnType<Scratch['run']> => scratch.run(extractor, 'a.xlsx', xlsxType, content);
const sheetMarkdown = async (
  sheet: Omit<SheetFixture, 'name'>,
  rest: Omit<WorkbookFixture, 'sheets'> = {},
): Promise<string> => {
  const { markdown } = await read(makeXlsx({ sheets: [{ name: 'S', ...sheet }], ...rest }));
  return markdown.replace(/^## S\n\n/, '');
};

describe('a workbook', () => {
  it('has a heading and a page for each sheet, and marks hidden ones', async () => {
    const { markdown, pages, pageCount, metadata } = await read(
      makeXlsx({
        sheets: [
          { name: 'Q1 &amp; Q2', rows: textRow(1, ['a', 'b']) + textRow(2, ['1', '2']) },
          { name: 'Empty', rows: '' },
          { name: 'Old', rows: textRow(1, ['c']), state: 'veryHidden' },
        ],
      }),
    );
    expect(markdown).toBe('## Q1 & Q2\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n## Old\n\n*Hidden sheet*\n\nc\n');
    expect(pages?.map(({ page, start, end }) => [page, markdown.slice(start, end).slice(0, 6)])).toStrictEqual([
      [1, '## Q1 '],
      [2, ''],
      [3, '## Old'],
    ]);
    expect([
      pageCount,
      metadata.title,
      metadata.author,
      metadata['sheet_names'],
      metadata['hidden_sheets'],
    ]).toStrictEqual([null, 'Stock', 'Ada', ['Q1 & Q2', 'Empty', 'Old'], ['Old']]);
  });

  it('has the texts of a part whose name its relationships write in another case', async () => {
    const workbook = makeXlsx({
      sheets: [{ name: 'S', rows: '<row r="1"><c r="A1" t="s"><v>0</v></c></row>' }],
      strings: '<si><t>Bricks</t></si>',
    });
    // Both places of the name: before the part, and in the directory.
    const written = Buffer.from(workbook.toString('latin1').replaceAll('xl/shared', 'xl/Shared'), 'latin1');
    expect((await read(written)).markdown).toBe('## S\n\nBricks\n');
  });

  it('that is encrypted, damaged or another zip fails with the reason', async () => {
    const fails = (content: Buffer, code: string): Promise<void> =>
      expect(read(content)).rejects.toMatchObject({ code, retryable: false });
    await fails(Buffer.from('d0cf11e0a1b11ae1000000000000', 'hex'), 'encrypted_file');
    await fails(makeXlsx({ sheets: [] }).subarray(0, 300), 'corrupt_file');
    await fails(makeZip({ 'a.txt': Buffer.from('a') }), 'corrupt_file');
    await fails(makeXlsx({ sheets: [{ name: 'S', rows: '<row><c' }] }), 'corrupt_file');
  });

  it('is refused where merged cells would repeat beyond the limit of markdown', async () => {
    const rows = textRow(1, ['x'.repeat(1000)]) + textRow(1_048_576, [...Array.from({ length: 300 }, () => null), 'y']);
    await expect(
      read(makeXlsx({ sheets: [{ name: 'S', rows, after: '<mergeCell ref="A1:KN1048575"/>' }] })),
    ).rejects.toMatchObject({ code: 'file_too_large', message: expect.stringMatching(/merged cells/) });
  });
});

describe('a cell', () => {
  it('without a value is empty, whatever its type', async () => {
    const cells = `${['s', 'b', 'n'].map((type) => `<c t="${type}"><v></v></c>`).join('')}<c t="str"><f>A1</f><v></v></c>`;
    const strings = '<si><t>the first string</t></si>';
    const rows = `<row r="1">${textCell('A1', 'x')}</row><row r="2">${cells}</row>`;
    expect(await sheetMarkdown({ rows }, { strings })).toBe('x\n');
  });

  const styles =
    '<numFmts><numFmt numFmtId="170" formatCode="[$-407]d\\. mmmm yyyy;@"/><numFmt numFmtId="171" formatCode="&quot;day&quot; 0.00"/></numFmts>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="20"/><xf numFmtId="10"/><xf numFmtId="46"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs>';
  const shown = async (cell: string, properties = ''): Promise<string> =>
    (
      await sheetMarkdown(
        { rows: `<row r="1">${cell}</row>` },
        { styles, properties, strings: '<si><r><t>rich </t></r><r><t>text</t></r><rPh><t>reading</t></rPh></si>' },
      )
    ).trimEnd();

  it.each([
    ['a number without the errors of binary fractions', '<c><v>0.30000000000000004</v></c>', '0.3'],
    ['a date', '<c s="1"><v>44926</v></c>', '2022-12-31'],
    ['a date of an own format', '<c s="6"><v>60.5</v></c>', '1900-02-28'],
    ['a date and time', '<c s="2"><v>44926.75</v></c>', '2022-12-31 18:00'],
    ['a time', '<c s="3"><v>0.5</v></c>', '12:00'],
    ['a percentage', '<c s="4"><v>0.125</v></c>', '12.5%'],
    ['a duration', '<c s="5"><v>1.5</v></c>', '36:00:00'],
    ['a number with the text of its format', '<c s="7"><v>3</v></c>', 'day 3'],
    ['the value of a formula', '<c t="str"><f>A1&amp;B1</f><v>joined</v></c>', 'joined'],
    ['a formula without a value', '<c><f>SUM(A1:A2)&lt;3</f><v></v></c>', '=SUM(A1:A2)<3'],
    ['no more of a formula that a former cell has', '<c><f>A1</f><v>1</v></c><c><f t="shared" si="0"/></c>', '1'],
    ['a truth value', '<c t="b"><v>1</v></c>', 'TRUE'],
    ['an error', '<c t="e"><v>#N/A</v></c>', '#N/A'],
    ['a shared string, without the reading of its characters', '<c t="s"><v>0</v></c>', 'rich text'],
  ])('shows %s', async (_what, cell, text) => {
    expect(await shown(cell)).toBe(text);
  });

  it('shows dates of workbooks that count from 1904', async () => {
    expect(await shown('<c s="1"><v>43464</v></c>', '<workbookPr date1904="1"/>')).toBe('2022-12-31');
  });

  it('keeps its link, its bars and its lines', async () => {
    const markdown = await sheetMarkdown({
      rows: textRow(1, ['name', 'page']) + textRow(2, ['a | b', 'one\ntwo']),
      after: '<hyperlinks><hyperlink ref="A2" r:id="h"/></hyperlinks>',
      relationships: [{ id: 'h', type: 'hyperlink', target: 'https://a.example/' }],
    });
    expect(markdown).toBe('| name | page |\n| --- | --- |\n| [a \\| b](https://a.example/) | one<br>two |\n');
  });
});

describe('a sheet', () => {
  it('is split into its tables, with their titles as text', async () => {
    const rows =
      textRow(1, ['Ducks per year']) +
      textRow(2, ['Year', 'Ducks', null, 'Lake', 'Depth']) +
      textRow(3, ['2020', '7', null, 'Ammer', '81']) +
      textRow(6, ['Source: own counts']);
    const merged = '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>';
    expect(await sheetMarkdown({ rows, after: merged })).toBe(
      'Ducks per year\n\n| Year | Ducks |\n| --- | --- |\n| 2020 | 7 |\n\n| Lake | Depth |\n| --- | --- |\n| Ammer | 81 |\n\nSource: own counts\n',
    );
  });

  it('repeats merged cells in each row and column they cover', async () => {
    const rows = textRow(1, ['x', 'wide', null]) + textRow(2, ['tall', '1', '2']) + textRow(3, [null, '3', '4']);
    const merged = '<mergeCells><mergeCell ref="B1:C1"/><mergeCell ref="A2:A3"/></mergeCells>';
    expect(await sheetMarkdown({ rows, after: merged })).toBe(
      '| x | wide | wide |\n| --- | --- | --- |\n| tall | 1 | 2 |\n| tall | 3 | 4 |\n',
    );
  });

  it('has its charts, text boxes, descriptions of pictures and comments', async () => {
    const drawing =
      '<xdr:wsDr xmlns:r="r"><xdr:a><xdr:graphicFrame><a:graphic><a:graphicData><c:chart r:id="c"/></a:graphicData></a:graphic></xdr:graphicFrame></xdr:a>' +
      '<xdr:a><xdr:pic><xdr:nvPicPr><xdr:cNvPr descr="A map"/></xdr:nvPicPr></xdr:pic></xdr:a>' +
      '<xdr:a><xdr:sp><xdr:txBody><a:p><a:r><a:t>In a box</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:a></xdr:wsDr>';
    const markdown = await sheetMarkdown(
      {
        rows: `<row r="1">${textCell('A1', 'x')}</row>`,
        relationships: [
          { id: 'd', type: 'drawing', target: '../drawings/drawing1.xml' },
          { id: 'k', type: 'comments', target: '../comments1.xml' },
        ],
      },
      {
        extra: {
          'xl/drawings/drawing1.xml': drawing,
          'xl/drawings/_rels/drawing1.xml.rels': relationships([
            { id: 'c', type: 'chart', target: '../charts/chart1.xml' },
          ]),
          'xl/charts/chart1.xml': chartPart('Ducks', ['2019'], { Fresh: [120] }),
          'xl/comments1.xml':
            '<comments><commentList><comment ref="A1"><text><r><t>Check this</t></r></text></comment></commentList></comments>',
        },
      },
    );
    expect(markdown).toBe(
      'x\n\nDucks\n\nBar chart\n\n|  | Fresh |\n| --- | --- |\n| 2019 | 120 |\n\nA map\n\nIn a box\n\n**Comments**\n\n- A1: Check this\n',
    );
  });

  it('has the notes and the threads of comments on its cells, with who wrote them', async () => {
    const markdown = await sheetMarkdown(
      {
        rows: `<row r="1">${textCell('A1', 'x')}</row>`,
        relationships: [
          { id: 'k', type: 'comments', target: '../comments1.xml' },
          { id: 't', type: 'threadedComment', target: '../threads1.xml' },
        ],
      },
      {
        relationships: [{ id: 'p', type: 'person', target: 'persons/person.xml' }],
        extra: {
          'xl/comments1.xml':
            '<comments><authors><author>Ann</author><author>tc={1}</author></authors><commentList><comment ref="A1" authorId="0"><text><t>Why?</t></text></comment><comment ref="B2" authorId="1"><text><t>[Threaded comment]</t></text></comment></commentList></comments>',
          'xl/threads1.xml':
            '<ThreadedComments><threadedComment ref="B2" personId="{7}"><text>Hot</text></threadedComment><threadedComment ref="B2" personId="{8}"><text>Yes</text></threadedComment></ThreadedComments>',
          'xl/persons/person.xml': '<personList><person displayName="Bob" id="{7}"/></personList>',
        },
      },
    );
    expect(markdown).toBe('x\n\n**Comments**\n\n- A1, Ann: Why?\n- B2, Bob: Hot\n- B2: Yes\n');
  });
});
