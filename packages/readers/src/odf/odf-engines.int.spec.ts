import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as odf from '../fixtures/make-odf.js';
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

const read = (type: string, content: Buffer): ReturnType<Scratch['run']> =>
  scratch.run(extractor, 'a.odf', type, content);
const markdownOf = async (
  type: string,
  body: string,
  rest: { styles?: string; extra?: Record<string, string> } = {},
): Promise<string> => (await read(type, odf.makeOdf({ type, body, ...rest }))).markdown;

describe('an OpenDocument file', () => {
  it.each([odf.odtType, odf.odpType, odf.odsType])(
    'that is encrypted, damaged or another zip fails with the reason: %s',
    async (type) => {
      const fails = (content: Buffer, code: string): Promise<void> =>
        expect(read(type, content)).rejects.toMatchObject({ code, retryable: false });
      const manifest =
        '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
      await fails(odf.makeOdf({ type, body: '', extra: { 'META-INF/manifest.xml': manifest } }), 'encrypted_file');
      await fails(odf.makeOdf({ type, body: '' }).subarray(0, 300), 'corrupt_file');
      await fails(makeZip({ mimetype: Buffer.from(type) }), 'corrupt_file');
      await fails(odf.makeOdf({ type, body: '<text:p>' }), 'corrupt_file');
    },
  );

  it('has the properties that it states', async () => {
    const { metadata, pageCount } = await read(
      odf.odtType,
      odf.makeOdf({ type: odf.odtType, body: odf.paragraph('x') }),
    );
    expect([metadata.title, metadata.author, metadata.language, metadata['created'], pageCount]).toStrictEqual([
      'Kilns & clay',
      'Ada',
      'de',
      '2024-09-26T09:15:16',
      null,
    ]);
  });
});

describe('a text', () => {
  it('keeps headings, emphasis, links and line breaks, and leaves out what is hidden or deleted', async () => {
    const styles =
      '<style:style style:name="T" style:family="paragraph" style:parent-style-name="Title"/>' +
      '<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>' +
      '<style:style style:name="BI" style:family="text" style:parent-style-name="B"><style:text-properties fo:font-style="italic"/></style:style>' +
      '<style:style style:name="H" style:family="text"><style:text-properties text:display="none"/></style:style>';
    const named = '<style:style style:name="Title" style:family="paragraph"/>';
    const body =
      '<text:tracked-changes><text:changed-region><text:deletion><text:p>deleted</text:p></text:deletion></text:changed-region></text:tracked-changes>' +
      odf.paragraph('Kilns', 'T') +
      '<text:h text:outline-level="2">Clay</text:h>' +
      odf.paragraph(
        'a<text:s text:c="9"/><text:span text:style-name="BI">bold</text:span><text:line-break/><text:a xlink:href="https://a.example/">link</text:a><text:span text:style-name="H">hidden</text:span>',
      );
    const { markdown } = await read(odf.odtType, odf.makeOdf({ type: odf.odtType, body, styles, namedStyles: named }));
    expect(markdown).toBe('# Kilns\n\n## Clay\n\na ***bold***\n[link](https://a.example/)\n');
  });

  it('has the numbers of its headings, by their outline or by the list that they are in', async () => {
    const level = (element: string, at: number, format: string, more = ''): string =>
      `<text:${element} text:level="${at}" style:num-format="${format}"${more}/>`;
    const outline = `<text:outline-style style:name="Outline">${level('outline-level-style', 1, 'I', ' style:num-prefix="Part " style:num-suffix=":"')}${level('outline-level-style', 2, '1', ' text:start-value="4"')}${level('outline-level-style', 3, 'a', ' text:display-levels="2"')}${level('outline-level-style', 4, '')}</text:outline-style>`;
    const styles = `<text:list-style style:name="W">${level('list-level-style-number', 1, '1', ' style:num-suffix="."')}${level('list-level-style-number', 2, '1', ' text:display-levels="2"')}</text:list-style>`;
    const heading = (text: string, at: number, more = ''): string =>
      `<text:h text:outline-level="${at}"${more}>${text}</text:h>`;
    const listed = (content: string): string =>
      odf.list([content], ' text:style-name="W" text:continue-numbering="true"');
    const body = [
      heading('Preface', 1, ' text:is-list-header="true"'),
      heading('Clay', 1),
      heading('Red', 2),
      heading('Wet', 3),
      heading('Deep', 4),
      heading('Fire', 1),
      heading('Wood', 2),
      listed(heading('One', 1)),
      listed(odf.list([heading('Two', 2)])),
      listed(heading('Three', 1)),
    ];
    const content = odf.makeOdf({ type: odf.odtType, body: body.join(''), styles, namedStyles: outline });
    expect((await read(odf.odtType, content)).markdown).toBe(
      '# Preface\n\n# Part I: Clay\n\n## 4 Red\n\n### 4.a Wet\n\n#### Deep\n\n# Part II: Fire\n\n## 4 Wood\n\n# 1. One\n\n## 1.1 Two\n\n# 2. Three\n',
    );
  });

  it('keeps lists with their levels and numbers, also where a list continues another one', async () => {
    const body =
      odf.list([odf.paragraph('one'), odf.paragraph('two')], ' text:style-name="N"') +
      odf.list([odf.list([odf.paragraph('inner')])], ' text:style-name="N"') +
      odf.paragraph('between') +
      odf.list(
        [odf.paragraph('three') + odf.list([odf.paragraph('deep')])],
        ' text:style-name="N" text:continue-numbering="true"',
      ) +
      odf.list([odf.paragraph('no label')], ' text:style-name="-"');
    expect(await markdownOf(odf.odtType, body, { styles: odf.listStyles })).toBe(
      '1. one\n2. two\n    - inner\n\nbetween\n\n3. three\n    - deep\n\nno label\n',
    );
  });

  it('has the labels of its items as text where markdown has no such numbers', async () => {
    const level = (at: number, format: string, more: string): string =>
      `<text:list-level-style-number text:level="${at}" style:num-format="${format}"${more}/>`;
    const styles = `<text:list-style style:name="L">${level(1, '1', ' style:num-suffix="."')}${level(2, '1', ' text:display-levels="2"')}${level(3, 'a', ' style:num-prefix="(" style:num-suffix=")"')}</text:list-style>`;
    const named = ' text:style-name="L"';
    const body =
      odf.list(
        [odf.paragraph('one'), odf.paragraph('two') + odf.list([odf.paragraph('x'), odf.paragraph('y')])],
        named,
      ) +
      odf.paragraph('between') +
      odf.list(
        [odf.list([odf.paragraph('z') + odf.list([odf.paragraph('deep')])])],
        `${named} text:continue-numbering="true"`,
      ) +
      odf.list([odf.paragraph('three')], `${named} text:continue-numbering="true"`);
    expect(await markdownOf(odf.odtType, body, { styles })).toBe(
      '1. one\n2. two\n    - 2.1 x\n    - 2.2 y\n\nbetween\n\n- 2.1 z\n    - (a) deep\n\n3. three\n',
    );
  });

  it('repeats the cells of a table that span, and keeps lists in them', async () => {
    const cell = `<table:table-cell>${odf.list([odf.paragraph('x'), odf.paragraph('y')])}</table:table-cell>`;
    const body = odf.table([
      odf.cell('wide', ' table:number-columns-spanned="2"') + '<table:covered-table-cell/>',
      odf.cell('a | b') + cell,
    ]);
    expect(await markdownOf(odf.odtType, body)).toBe('| wide | wide |\n| --- | --- |\n| a \\| b | - x<br>- y |\n');
  });

  it('has its notes and comments at the end, and the descriptions of its pictures', async () => {
    const note =
      '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>See there.</text:p></text:note-body></text:note>';
    const comment = '<office:annotation><dc:creator>Ann</dc:creator><text:p>Really?</text:p></office:annotation>';
    const picture = odf.frame('<draw:image xlink:href="a.png"/><svg:desc>A blue kiln</svg:desc>');
    expect(await markdownOf(odf.odtType, odf.paragraph(`It is hot${note}.${comment}${picture}`))).toBe(
      'It is hot \\[1\\].\n\nA blue kiln\n\n**Notes**\n\n- \\[1\\] See there.\n\n**Comments**\n\n- Ann: Really?\n',
    );
  });
});

describe('a presentation', () => {
  it('has a page for each slide, with title, lists, notes and charts, and marks hidden slides', async () => {
    const chart =
      '<office:document-content><office:body><office:chart><chart:chart chart:class="chart:bar"><chart:title><text:p>Ducks</text:p></chart:title>' +
      `${odf.table([odf.cell('') + odf.cell('Fresh'), odf.cell('2019') + odf.cell('120')])}</chart:chart></office:chart></office:body></office:document-content>`;
    const notes = `<presentation:notes>${odf.frame(odf.textBox(odf.paragraph('Say hello.')), 'notes')}${odf.frame(odf.textBox(odf.paragraph('7')), 'page-number')}</presentation:notes>`;
    const body =
      odf.slide(
        odf.frame(odf.textBox(odf.list([odf.paragraph('point')], ' text:style-name="B"')), 'outline') +
          odf.frame(odf.textBox(odf.paragraph('Kilns')), 'title') +
          odf.frame(odf.textBox(odf.paragraph('Confidential')), 'footer') +
          notes,
      ) + odf.slide(odf.frame('<draw:object xlink:href="./Object 1"/>'), ' draw:style-name="dp1"');
    const hidden =
      '<style:style style:name="dp1" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
    const { markdown, pages, pageCount, metadata } = await read(
      odf.odpType,
      odf.makeOdf({
        type: odf.odpType,
        body,
        styles: odf.listStyles + hidden,
        extra: { 'Object 1/content.xml': chart },
      }),
    );
    expect(markdown).toBe(
      '# Kilns\n\n- point\n\n> **Notes**\n>\n> Say hello.\n\n*Hidden slide*\n\nDucks\n\nBar chart\n\n|  | Fresh |\n| --- | --- |\n| 2019 | 120 |\n',
    );
    expect(pages?.map(({ page, start }) => [page, markdown.slice(start, start + 7)])).toStrictEqual([
      [1, '# Kilns'],
      [2, '*Hidden'],
    ]);
    expect([pageCount, metadata['hidden_slides']]).toStrictEqual([2, [2]]);
  });
});

describe('a spreadsheet', () => {
  it('has a heading and a page for each sheet, with merged cells, dates and numbers as they mean', async () => {
    const value = (type: string, attributes: string, shown: string): string =>
      odf.cell(shown, ` office:value-type="${type}" ${attributes}`);
    const rows = [
      odf.cell('day') + odf.cell('kilns', ' table:number-columns-spanned="2"') + '<table:covered-table-cell/>',
      value('date', 'office:date-value="2022-12-31T00:00:00"', '31.12.22') +
        value('currency', 'office:value="1234.5"', '1.234,50 €') +
        value('percentage', 'office:value="0.125"', '12,50 %'),
    ];
    const empty =
      '<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
    const sheets =
      odf.table(rows, ' table:name="One"').replace('</table:table>', `${empty}</table:table>`) +
      odf.table([odf.cell('alone')], ' table:name="Two" table:style-name="ta2"');
    const styles =
      '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>';
    const { markdown, metadata, pages } = await read(
      odf.odsType,
      odf.makeOdf({ type: odf.odsType, body: sheets, styles }),
    );
    expect(markdown).toBe(
      '## One\n\n| day | kilns | kilns |\n| --- | --- | --- |\n| 2022-12-31 | 1234.5 € | 12.5% |\n\n## Two\n\n*Hidden sheet*\n\nalone\n',
    );
    expect([metadata['sheet_names'], metadata['hidden_sheets'], pages?.length]).toStrictEqual([
      ['One', 'Two'],
      ['Two'],
      2,
    ]);
  });

  it('has the comments and the links of its cells', async () => {
    const link = odf.cell('<text:a xlink:href="https://a.example/">page</text:a>');
    const noted = `<table:table-cell><office:annotation><text:p>Check this</text:p></office:annotation>${odf.paragraph('x')}</table:table-cell>`;
    expect(await markdownOf(odf.odsType, odf.table([link + noted], ' table:name="S"'))).toBe(
      '## S\n\n| [page](https://a.example/) | x |\n| --- | --- |\n\n**Comments**\n\n- Check this\n',
    );
  });
});
