import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeDocx, makeZip, paragraph } from '../fixtures/make-docx.js';
import { makePdf } from '../fixtures/make-pdf.js';
import { docxType } from '../fixtures/scratch.js';
import { sniffContentType } from './sniff-content-type.js';

const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex');

async function sniff(content: Buffer | string, filename = 'file', claimed: string | null = null): Promise<string> {
  return sniffContentType({ head: Buffer.from(content).subarray(0, 4100), filename, claimed });
}

describe('sniffContentType', () => {
  it('believes magic bytes before any name or claim', async () => {
    assert.equal(await sniff(await makePdf({ pages: [[]] }), 'a.txt', 'text/plain'), 'application/pdf');
    assert.equal(await sniff(png, 'a.pdf', 'application/pdf'), 'image/png');
  });

  it('tells office files from plain zips', async () => {
    assert.equal(await sniff(makeDocx(paragraph('x')), 'x', 'application/octet-stream'), docxType);
    assert.equal(await sniff(makeZip({ 'a.txt': Buffer.from('a') }), 'a.zip'), 'application/zip');
  });

  it('tells kinds of text by content, then extension, then claim', async () => {
    assert.equal(await sniff('<!DOCTYPE html><p>x', 'page'), 'text/html');
    assert.equal(await sniff('<html>', 'data.csv', 'text/csv'), 'text/html');
    assert.equal(await sniff('a,b\n1,2', 'data.csv', 'text/plain'), 'text/csv');
    assert.equal(await sniff('a,b\n1,2', 'data', 'text/csv; charset=utf-8'), 'text/csv');
    assert.equal(await sniff('# Title', 'notes.md'), 'text/markdown');
    assert.equal(await sniff('# Title', 'notes', 'text/markdown'), 'text/markdown');
    assert.equal(await sniff('words', 'notes'), 'text/plain');
    assert.equal(await sniff(Buffer.from('\ufeffwords', 'utf16le'), 'notes'), 'text/plain');
    assert.equal(await sniff('<?xml version="1.0"?><a/>', 'a'), 'application/xml');
  });

  it('does not believe a claim that the bytes contradict', async () => {
    assert.equal(await sniff('just words', 'a.pdf', 'application/pdf'), 'text/plain');
    assert.equal(await sniff(Buffer.from([0, 1, 2, 3, 0, 0, 7]), 'a.txt', 'text/plain'), 'application/octet-stream');
    assert.equal(await sniff(Buffer.from([0, 1, 2, 3, 0, 0, 7]), 'a.docx', docxType), 'application/octet-stream');
  });

  it('keeps a claim it cannot judge', async () => {
    assert.equal(await sniff(Buffer.from([0, 1, 2, 3, 0, 0, 7]), 'a', 'application/x-custom'), 'application/x-custom');
  });

  it('goes by the claim, then the name, for an empty file', async () => {
    assert.equal(await sniff('', 'a.txt', 'text/markdown'), 'text/markdown');
    assert.equal(await sniff('', 'a.txt'), 'text/plain');
    assert.equal(await sniff('', 'a'), 'application/octet-stream');
    assert.equal(await sniff('', 'a', 'not a type'), 'application/octet-stream');
  });
});
