import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';
import { isSmallText, readSmallText, SMALL_TEXT_BYTES_MAX } from './small-text.js';

const TEXTS: [contentType: string, filename: string, bytes: Buffer][] = [
  ['text/markdown', 'a.md', Buffer.from('---\ntitle: Kilns\nlang: en\n---\n\n# Clay\n\nIt shrinks.\r\nA lot.\n')],
  ['text/markdown', 'b.md', Buffer.from('')],
  ['text/plain', 'c.txt', Buffer.from('1 < 2 & <b>\u0000\u0007\n\n# no heading\n')],
  ['text/plain; charset=iso-8859-1', 'd.txt', Buffer.from('Gl\xfchend hei\xdf', 'latin1')],
  ['text/plain', 'e.txt', Buffer.from('\ufeffutf-16', 'utf16le')],
  ['application/json', 'f.json', Buffer.from('{"a": "```"}')],
  ['text/plain', 'g.py', Buffer.from('print("# no heading")')],
];

describe('a small text', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kiln-small-text-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  for (const [contentType, filename, bytes] of TEXTS) {
    it(`is read as the sandbox reads it: ${filename}, ${contentType}`, async () => {
      const path = join(directory, filename);
      await writeFile(path, bytes);
      const extractor = createLocalExtractor(defaultLimits);
      const input = { path, filename, contentType, outputDirectory: directory };
      const { markdownPath, metadata } = await extractor.extract(input, new AbortController().signal);
      const markdown = await readFile(markdownPath, 'utf8');
      expect(readSmallText({ bytes, filename, contentType })).toStrictEqual({ markdown, metadata });
    });
  }

  it('is plain text or markdown of a known size', () => {
    expect(isSmallText('text/markdown; charset=utf-8', SMALL_TEXT_BYTES_MAX)).toBe(true);
    expect(isSmallText('text/x-python', 0)).toBe(true);
    expect(isSmallText('text/markdown', SMALL_TEXT_BYTES_MAX + 1)).toBe(false);
    expect(isSmallText('text/markdown', null)).toBe(false);
  });

  it.each(['text/html', 'text/csv', 'application/pdf', 'image/png'])('is not %s, which needs a parser', (type) => {
    expect(isSmallText(type, 10)).toBe(false);
  });
});
