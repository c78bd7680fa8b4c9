import { describe, expect, it } from '@jest/globals';
import { makeDocx, paragraph } from './fixtures/make-docx.js';
import { docxType } from './fixtures/scratch.js';
import { sniffContentType } from '@kiln/file-types/sniff-content-type';

const sniff = (content: Buffer | string, filename = 'file', claimed: string | null = null) =>
  sniffContentType({ head: Buffer.from(content).subarray(0, 32_768), filename, claimed });

const utf32 = (text: string): Buffer =>
  Buffer.from(Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0).buffer);

const encodings: [name: string, encode: (text: string) => Buffer][] = [
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with a mark', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16LE with a mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16BE with a mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ['UTF-16LE', (text) => Buffer.from(text, 'utf16le')],
  ['UTF-32LE with a mark', (text) => utf32(`\ufeff${text}`)],
  ['UTF-32BE', (text) => utf32(text).swap32()],
  ['Latin-1', (text) => Buffer.from(text, 'latin1')],
];
const XML = '<?xml version="1.0"?><note>Grüße</note>';
const HTML = '<!doctype html><p>Grüße aus Köln';
const JSON_TEXT = '{"greeting": "Grüße"}';
const CSV = 'city,greeting\nKöln,Grüße\n';
const MARKDOWN = '# Grüße\n\n- aus Köln\n';
const BINARY = Buffer.from(Array.from({ length: 600 }, (_, at) => (at * 7_919) % 256));

describe('the type of a text', () => {
  for (const [encoding, encode] of encodings) {
    it(`in ${encoding} is detected by its content, whatever its name and claimed type`, async () => {
      for (const [filename, claimed] of [['a'], ['a.txt'], ['a.txt', 'text/plain'], ['a.pdf', 'application/pdf']]) {
        const typeOf = (text: string) => sniff(encode(text), filename, claimed);
        expect(await typeOf(XML)).toBe('application/xml');
        expect(await typeOf(HTML)).toBe('text/html');
        expect(await typeOf(JSON_TEXT)).toBe('application/json');
        expect(await typeOf('Grüße aus Köln, wie immer.')).toBe('text/plain');
      }
      expect(await sniff(encode(HTML), 'a.csv', 'text/csv')).toBe('text/html');
      expect(await sniff(encode(HTML), 'a.json')).toBe('text/html');
      expect(await sniff(encode(XML), 'a.json', 'application/json')).toBe('application/xml');
      expect(await sniff(encode(JSON_TEXT), 'a.xml', 'application/xml')).toBe('application/json');
      expect(await sniff(encode(JSON_TEXT), 'a.html')).toBe('application/json');
    });

    it(`in ${encoding} is the claimed or named type where the content allows several`, async () => {
      for (const [text, type, extension] of [
        [CSV, 'text/csv', 'csv'],
        [MARKDOWN, 'text/markdown', 'md'],
      ] as const) {
        expect(await sniff(encode(text), 'a', type)).toBe(type);
        expect(await sniff(encode(text), `a.${extension}`)).toBe(type);
        expect(await sniff(encode(text), `a.${extension}`, 'text/plain')).toBe(type);
        expect(await sniff(encode(text), `a.${extension.toUpperCase()}`, 'application/octet-stream')).toBe(type);
        expect(await sniff(encode(text), 'a.rst', type)).toBe(type);
        expect(await sniff(encode(text))).toBe('text/plain');
      }
      expect(await sniff(encode(XML), 'a', 'application/atom+xml')).toBe('application/atom+xml');
      expect(await sniff(encode(JSON_TEXT), 'a', 'application/ld+json')).toBe('application/ld+json');
      // The type that Windows claims.
      expect(await sniff(encode(CSV), 'a.csv', 'application/vnd.ms-excel')).toBe('text/csv');
    });
  }

  it('is that of the page behind any number of comments', async () => {
    for (const comments of ['<!---->'.repeat(250), '<!-- a -->\n<!-- b --> ', '<!-- --><!-- <html> -->']) {
      expect(await sniff(`${comments}<html>`)).toBe('text/html');
      expect(await sniff(`${comments}words`)).toBe('text/plain');
    }
    expect(await sniff('<!-- a comment that does not end <html>')).toBe('text/plain');
  });

  it.each(['BMW', 'MZ', 'GIF', 'ID3', 'BZh', 'FWS', 'solid', 'OggS', 'MSCF', 'MThd', '8BPS', 'FORM', 'LZIP'])(
    'is a text although it begins with %s, as a binary format does',
    async (beginning) => {
      const text = `${beginning} is what this text begins with.\n`.repeat(200);
      expect(await sniff(text, 'a.txt')).toBe('text/plain');
    },
  );

  it('is a PDF, RTF or calendar only where its beginning says so', async () => {
    expect(await sniff('A PDF begins with %PDF-1.7, and so on.', 'a.md')).toBe('text/markdown');
    expect(await sniff('junk\n%PDF-1.7\n', 'a.txt')).toBe('application/pdf');
    expect(await sniff(Buffer.from('\0\x01junk%PDF-1.7\n'), 'a.txt')).toBe('application/pdf');
    expect(await sniff('{\\rtf1\\ansi words}', 'a.txt', 'text/plain')).toBe('application/rtf');
    expect(await sniff('BEGIN:VCALENDAR\r\n')).toBe('text/calendar');
  });

  it('is JSON when it is whole, or begins like an object; lines of JSON are not', async () => {
    const object = `{"items": [${'"a long list", '.repeat(4_000)}`;
    expect(await sniff(object)).toBe('application/json');
    expect(await sniff(`[\n  ${object}`)).toBe('application/json');
    expect(await sniff('{"a": 1}\n'.repeat(2_000))).toBe('text/plain');
    expect(await sniff('{"a": 1}\n'.repeat(2_000), 'a.ndjson')).toBe('application/x-ndjson');
    expect(await sniff('{"cut": ')).toBe('text/plain');
    expect(await sniff('[draft] words')).toBe('text/plain');
  });
});

describe('the type of an e-mail', () => {
  const mail =
    'Received: from a.example\r\n by b.example\r\nFrom: a@a.example\r\nSubject: x\r\nDate: today\r\n\r\nwords';

  it('is detected by its header, and by its name', async () => {
    for (const [filename, claimed] of [['a'], ['a.txt'], ['a', 'text/plain'], ['a.eml', 'application/octet-stream']])
      expect(await sniff(mail, filename, claimed)).toBe('message/rfc822');
    expect(await sniff('no header', 'a.eml')).toBe('message/rfc822');
  });

  it('is not that of a text that only mentions one, or that is said to be something else', async () => {
    expect(await sniff(`Look at this.\n${mail}`)).toBe('text/plain');
    expect(await sniff('From: me\nTo: you\nwords')).toBe('text/plain');
    expect(await sniff(mail, 'a.md')).toBe('text/markdown');
  });
});

describe('the type of a binary', () => {
  it('is not that of its name or claim when those mean text', async () => {
    for (const bytes of [
      BINARY,
      Buffer.concat([Buffer.from('\ufeff'), BINARY]),
      Buffer.concat([Buffer.of(0xff, 0xfe), BINARY]),
    ])
      for (const [filename, claimed] of [
        ['a.txt'],
        ['a.json', 'application/json'],
        ['a', 'text/html'],
        ['a.csv', 'text/csv'],
      ])
        expect(await sniff(bytes, filename, claimed)).not.toMatch(/^text|json|csv/);
    expect(await sniff(BINARY, 'a.txt')).toBe('application/octet-stream');
    expect(await sniff(BINARY, 'a.txt', 'application/x-own')).toBe('application/x-own');
  });

  it('is that of an Office file, whatever it is called', async () => {
    for (const [filename, claimed] of [['a.txt', 'text/plain'], ['a.zip', 'application/zip'], ['a'], ['a.xlsx']])
      expect(await sniff(makeDocx(paragraph('x')), filename, claimed)).toBe(docxType);
  });
});
