import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeDocx, paragraph } from '../fixtures/make-docx.js';
import { docxType } from '../fixtures/scratch.js';
import { sniffContentType } from './sniff-content-type.js';

const sniff = (content: Buffer | string, filename = 'file', claimed: string | null = null) =>
  sniffContentType({ head: Buffer.from(content).subarray(0, 32_768), filename, claimed });

const encodings: [name: string, encode: (text: string) => Buffer][] = [
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with a mark', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16LE with a mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16BE with a mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ['UTF-16LE', (text) => Buffer.from(text, 'utf16le')],
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
    it(`in ${encoding} is told by what it holds, whatever its name and claim say`, async () => {
      for (const [filename, claimed] of [['a'], ['a.txt'], ['a.txt', 'text/plain'], ['a.pdf', 'application/pdf']]) {
        const typeOf = (text: string) => sniff(encode(text), filename, claimed);
        assert.equal(await typeOf(XML), 'application/xml');
        assert.equal(await typeOf(HTML), 'text/html');
        assert.equal(await typeOf(JSON_TEXT), 'application/json');
        assert.equal(await typeOf('Grüße aus Köln, wie immer.'), 'text/plain');
      }
      assert.equal(await sniff(encode(HTML), 'a.csv', 'text/csv'), 'text/html');
      assert.equal(await sniff(encode(HTML), 'a.json'), 'text/html');
      assert.equal(await sniff(encode(XML), 'a.json', 'application/json'), 'application/xml');
      assert.equal(await sniff(encode(JSON_TEXT), 'a.xml', 'application/xml'), 'application/json');
      assert.equal(await sniff(encode(JSON_TEXT), 'a.html'), 'application/json');
    });

    it(`in ${encoding} is kept as claimed, or as named, where the words could be either`, async () => {
      for (const [text, type, extension] of [
        [CSV, 'text/csv', 'csv'],
        [MARKDOWN, 'text/markdown', 'md'],
      ] as const) {
        assert.equal(await sniff(encode(text), 'a', type), type);
        assert.equal(await sniff(encode(text), `a.${extension}`), type);
        assert.equal(await sniff(encode(text), `a.${extension}`, 'text/plain'), type);
        assert.equal(await sniff(encode(text), `a.${extension.toUpperCase()}`, 'application/octet-stream'), type);
        assert.equal(await sniff(encode(text), 'a.rst', type), type);
        assert.equal(await sniff(encode(text)), 'text/plain');
      }
      assert.equal(await sniff(encode(XML), 'a', 'application/atom+xml'), 'application/atom+xml');
      assert.equal(await sniff(encode(JSON_TEXT), 'a', 'application/ld+json'), 'application/ld+json');
      assert.equal(await sniff(encode(CSV), 'a.csv', 'application/vnd.ms-excel'), 'text/csv', 'as Windows claims it');
    });
  }

  it('is that of the page behind any number of comments', async () => {
    for (const comments of ['<!---->'.repeat(250), '<!-- a -->\n<!-- b --> ', '<!-- --><!-- <html> -->']) {
      assert.equal(await sniff(`${comments}<html>`), 'text/html');
      assert.equal(await sniff(`${comments}words`), 'text/plain');
    }
    assert.equal(await sniff('<!-- a comment that does not end <html>'), 'text/plain');
  });

  it('that begins like a binary format does is a text all the same', async () => {
    const beginnings = [
      'BMW',
      'MZ',
      'GIF',
      'ID3',
      'BZh',
      'FWS',
      'solid',
      'OggS',
      'MSCF',
      'MThd',
      '8BPS',
      'FORM',
      'LZIP',
    ];
    for (const beginning of beginnings) {
      const text = `${beginning} is what this text begins with.\n`.repeat(200);
      assert.equal(await sniff(text, 'a.txt'), 'text/plain', beginning);
    }
    assert.equal(await sniff('A PDF begins with %PDF-1.7, and so on.', 'a.md'), 'text/markdown');
    assert.equal(await sniff('junk\n%PDF-1.7\n', 'a.txt'), 'application/pdf');
    assert.equal(await sniff(Buffer.from('\0\x01junk%PDF-1.7\n'), 'a.txt'), 'application/pdf');
    assert.equal(await sniff('{\\rtf1\\ansi words}', 'a.txt', 'text/plain'), 'application/rtf');
    assert.equal(await sniff('BEGIN:VCALENDAR\r\n'), 'text/calendar');
  });

  it('is JSON when it is whole, or begins like an object; lines of JSON are not', async () => {
    const object = `{"items": [${'"a long list", '.repeat(4_000)}`;
    assert.equal(await sniff(object), 'application/json');
    assert.equal(await sniff(`[\n  ${object}`), 'application/json');
    assert.equal(await sniff('{"a": 1}\n'.repeat(2_000)), 'text/plain');
    assert.equal(await sniff('{"a": 1}\n'.repeat(2_000), 'a.ndjson'), 'application/x-ndjson');
    assert.equal(await sniff('{"cut": '), 'text/plain');
    assert.equal(await sniff('[draft] words'), 'text/plain');
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
        assert.ok(!/^text|json|csv/.test(await sniff(bytes, filename, claimed)));
    assert.equal(await sniff(BINARY, 'a.txt'), 'application/octet-stream');
    assert.equal(await sniff(BINARY, 'a.txt', 'application/x-own'), 'application/x-own');
  });

  it('is that of an Office file, whatever it is called', async () => {
    for (const [filename, claimed] of [['a.txt', 'text/plain'], ['a.zip', 'application/zip'], ['a'], ['a.xlsx']])
      assert.equal(await sniff(makeDocx(paragraph('x')), filename, claimed), docxType);
  });
});
