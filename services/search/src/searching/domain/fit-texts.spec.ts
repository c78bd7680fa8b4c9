import { describe, expect, it } from '@jest/globals';
import { encodeId, MESSAGE_BYTES_MAX } from '@kiln/contracts';
import { randomUUID } from 'node:crypto';
import { fitTexts } from './fit-texts.js';
import { SnippetMaker } from './snippet-maker.js';

describe('fitTexts', () => {
  it('does not change texts of the default size', () => {
    const texts = Array.from({ length: 200 }, () => 'x'.repeat(1_000));
    expect(fitTexts(texts, [])).toStrictEqual(texts);
  });

  it('truncates texts that would not fit into a message, whatever characters they contain', () => {
    for (const character of ['学', '😀', '\u0001', '"']) {
      const fitted = fitTexts(
        Array.from({ length: 200 }, () => character.repeat(8_000)),
        [],
      );
      expect(Buffer.byteLength(JSON.stringify(fitted))).toBeLessThan(600_000);
      expect(fitted.filter((text) => text === '' || !text.isWellFormed())).toStrictEqual([]);
    }
  });

  it('leaves enough room for the longest snippets', () => {
    const maker = new SnippetMaker([{ language: 'none', term: 'a' }], [1]);
    const body = `${'"a '.repeat(80)}${'"'.repeat(7_000)}`;
    const snippets = Array.from({ length: 200 }, () => maker.make(body, 'none'));
    const texts = fitTexts(
      snippets.map(() => body),
      snippets,
    );
    const results = texts.map((chunk_text, at) => ({
      file_id: encodeId('file', randomUUID()),
      score: 1 / 3,
      snippet: snippets[at],
      chunk_text,
    }));
    expect(Buffer.byteLength(JSON.stringify({ results }))).toBeLessThan(MESSAGE_BYTES_MAX - 10_000);
  });
});
