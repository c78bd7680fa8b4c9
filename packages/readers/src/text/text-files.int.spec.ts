// Real: the engines. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

const extractor = createLocalExtractor(defaultLimits);
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

describe('a table of values', () => {
  it.each([
    ['sep=;\r\n', ';'],
    ['"sep=;"\n', ';'],
    ['\ufeffSEP=^\n', '^'],
  ])('is divided where its first line says, which is no row: %j', async (line, separator) => {
    const rows = ['Name,first', 'Price'].join(separator) + '\n' + ['Oil', '5,00'].join(separator) + '\n';
    const { markdown, metadata } = await scratch.run(extractor, 'a.csv', 'text/csv', Buffer.from(line + rows));
    expect(markdown).toBe('| Name,first | Price |\n| --- | --- |\n| Oil | 5,00 |\n');
    expect(metadata).toMatchObject({ delimiter: separator, row_count: 1, column_names: ['Name,first', 'Price'] });
  });
});

describe('a table of values from a spreadsheet', () => {
  const read = async (text: string) => scratch.run(extractor, 'a.csv', 'text/csv', Buffer.from(text));

  it('has no empty columns at its right, and no empty rows', async () => {
    const { markdown, metadata } = await read('Name,Price,,\nOil,,,\n,,,\n , ,,\nSalt,2,,\n');
    expect(markdown).toBe('| Name | Price |\n| --- | --- |\n| Oil |  |\n| Salt | 2 |\n');
    expect(metadata).toMatchObject({ row_count: 2, column_count: 2, column_names: ['Name', 'Price'] });
  });

  it('has the lines above its header as its title', async () => {
    const { markdown, metadata } = await read('# Prices,,\n2026,,\n,,\nName,Price,Unit\nOil,5,l\nSalt,2,\n');
    expect(markdown).toBe(
      '\\# Prices\n\n2026\n\n| Name | Price | Unit |\n| --- | --- | --- |\n| Oil | 5 | l |\n| Salt | 2 |  |\n',
    );
    expect(metadata).toMatchObject({ row_count: 2, column_names: ['Name', 'Price', 'Unit'] });
  });

  it('has one column where each row has one value', async () => {
    expect((await read('Name\nOil\nSalt\n')).markdown).toBe('| Name |\n| --- |\n| Oil |\n| Salt |\n');
  });
});

it.each([
  ['a.ics', 'text/calendar', 'BEGIN:VCALENDAR\r\nDESCRIPTION:Bring the num\r\n bers\r\nEND:VCALENDAR\r\n'],
  ['a.vcf', 'text/vcard; charset=utf-8', 'BEGIN:VCARD\nNOTE:Bring the num\n\tbers\nEND:VCARD\n'],
])('a line that %s breaks within a word is whole', async (filename, type, text) => {
  const { markdown } = await scratch.run(extractor, filename, type, Buffer.from(text));
  expect(markdown).toMatch(/^BEGIN:[A-Z]+\n[A-Z]+:Bring the numbers\nEND:[A-Z]+\n$/);
});

it('the data of pictures is left out of markdown, and short data is kept', async () => {
  const data = `data:image/png;base64,${'iVBORw0KGgo+/AAA'.repeat(100)}==`;
  const text = `![Kiln](${data} "hot")\n\n![][image1]\n\n<img src="${data}">\n\n[image1]: <${data}>\n\n\`data:text/plain;base64,aGk=\`\n`;
  const { markdown } = await scratch.run(extractor, 'a.md', 'text/markdown', Buffer.from(text));
  expect(markdown).toBe(text.replaceAll(data, 'data:,'));
});

describe('XML', () => {
  it('that declares UTF-16 in a text of single bytes is read as these bytes', async () => {
    for (const end of ['', ' ']) {
      const xml = `<?xml version="1.0" encoding="utf-16"?><a>Müller zahlt für Öl</a>${end}`;
      const content = Buffer.from(`${xml}\n`, 'latin1');
      const { markdown } = await scratch.run(extractor, 'a.xml', 'application/xml', content);
      expect(markdown).toContain('<a>Müller zahlt für Öl</a>');
    }
  });
});
