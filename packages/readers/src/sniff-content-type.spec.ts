import { describe, expect, it } from '@jest/globals';
import { makeDocx, paragraph } from './fixtures/make-docx.js';
import { makePdf } from '@kiln/pdf/fixtures/make-pdf';
import { makePicture } from './fixtures/make-picture.js';
import { makeZip } from './fixtures/make-zip.js';
import { docxType } from './fixtures/scratch.js';
import { sniffContentType } from '@kiln/file-types/sniff-content-type';

const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex');

async function sniff(content: Buffer | string, filename = 'file', claimed: string | null = null): Promise<string> {
  return sniffContentType({ head: Buffer.from(content).subarray(0, 4100), filename, claimed });
}

describe('sniffContentType', () => {
  it('trusts magic bytes before any name or claimed type', async () => {
    expect(await sniff(await makePdf({ pages: [[]] }), 'a.txt', 'text/plain')).toBe('application/pdf');
    expect(await sniff(png, 'a.pdf', 'application/pdf')).toBe('image/png');
  });

  it('recognizes a TIFF whose directory is at its end, beyond the bytes that are examined', async () => {
    const tiff = await makePicture({ width: 800, height: 800, format: 'tiff' });
    expect(tiff.readUInt32LE(4)).toBeGreaterThan(4100);
    expect(await sniff(tiff, 'scan.pdf')).toBe('image/tiff');
    expect(await sniff(Buffer.from('II*words', 'latin1'), 'a')).toBe('text/plain');
  });

  it('distinguishes office files from plain zips', async () => {
    expect(await sniff(makeDocx(paragraph('x')), 'x', 'application/octet-stream')).toBe(docxType);
    expect(await sniff(makeZip({ 'a.txt': Buffer.from('a') }), 'a.zip')).toBe('application/zip');
  });

  it('takes an archive of Office files for what it is', async () => {
    const inner = makeDocx(paragraph('x'));
    // The entry is stored without compression.
    const header = Buffer.alloc(30);
    header.write('PK\x03\x04', 'latin1');
    header.writeUInt32LE(inner.length, 18);
    header.writeUInt32LE(inner.length, 22);
    header.writeUInt16LE('a.docx'.length, 26);
    const archive = Buffer.concat([header, Buffer.from('a.docx'), inner, makeZip({ 'b.txt': Buffer.from('b') })]);
    expect(await sniff(archive, 'letters.zip')).toBe('application/zip');
  });

  it('takes pages and tables that programs export as Office files for what they are', async () => {
    const excel = 'application/vnd.ms-excel';
    expect(await sniff('<table border="1"><tr><td>5</td></tr></table>', 'report.xls', excel)).toBe('text/html');
    expect(await sniff('<!-- x -->\n<meta charset="utf-8"><p>Hi', 'letter.doc')).toBe('text/html');
    expect(await sniff('Name\tPrice\nOil\t5\n', 'report.xls')).toBe('text/tab-separated-values');
    expect(await sniff('Name and price', 'report.xls')).toBe('text/plain');
    expect(await sniff('<table>', 'notes.txt')).toBe('text/plain');
  });

  it('detects kinds of text by content, then extension, then claimed type', async () => {
    expect(await sniff('<!DOCTYPE html><p>x', 'page')).toBe('text/html');
    expect(await sniff('<html>', 'data.csv', 'text/csv')).toBe('text/html');
    expect(await sniff('a,b\n1,2', 'data.csv', 'text/plain')).toBe('text/csv');
    expect(await sniff('a,b\n1,2', 'data', 'text/csv; charset=utf-8')).toBe('text/csv');
    expect(await sniff('# Title', 'notes.md')).toBe('text/markdown');
    expect(await sniff('# Title', 'notes', 'text/markdown')).toBe('text/markdown');
    expect(await sniff('words', 'notes')).toBe('text/plain');
    expect(await sniff(Buffer.from('\ufeffwords', 'utf16le'), 'notes')).toBe('text/plain');
    expect(await sniff('<?xml version="1.0"?><a/>', 'a')).toBe('application/xml');
  });

  it('ignores a claimed type that the bytes contradict', async () => {
    expect(await sniff('just words', 'a.pdf', 'application/pdf')).toBe('text/plain');
    expect(await sniff(Buffer.from([0, 1, 2, 3, 0, 0, 7]), 'a.txt', 'text/plain')).toBe('application/octet-stream');
  });

  it('keeps the type of an office file that needs a password, which is a compound file', async () => {
    const locked = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
    expect(await sniff(locked, 'a.docx')).toBe(docxType);
    expect(await sniff(locked, 'a', docxType)).toBe(docxType);
    expect(await sniff(locked, 'a')).toBe('application/x-cfb');
  });

  it('keeps a claimed type that it cannot verify', async () => {
    const bytes = Buffer.from([0, 1, 2, 3, 0, 0, 7]);
    for (const claimed of ['application/x-custom', 'application/pdf', docxType, 'image/png', 'audio/mpeg'])
      expect(await sniff(bytes, 'a', claimed)).toBe(claimed);
    expect(await sniff(bytes, 'a.pdf')).toBe('application/pdf');
    expect(await sniff(bytes, 'a.pdf', 'application/octet-stream')).toBe('application/pdf');
  });

  it('uses the claimed type, then the name, for an empty file', async () => {
    expect(await sniff('', 'a.txt', 'text/markdown')).toBe('text/markdown');
    expect(await sniff('', 'a.txt')).toBe('text/plain');
    expect(await sniff('', 'a')).toBe('application/octet-stream');
    expect(await sniff('', 'a', 'not a type')).toBe('application/octet-stream');
  });
});
