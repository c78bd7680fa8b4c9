import { describe, expect, it } from '@jest/globals';
import { encodeId, MESSAGE_BYTES_MAX } from '@kiln/contracts';
import { randomUUID } from 'node:crypto';
import { fitTexts } from './fit-texts.js';
import { SnippetMaker } from './snippet.js';

describe('fitTexts', () => {
  it('does not change texts of the default size', () => {
    const texts = Array.from({ length: 200 }, () => 'x'.repeat(1_000));
    const unchanged = texts.map((text) => ({ chunk_text: text, chunk_text_truncated: false }));
    expect(fitTexts(texts, [])).toStrictEqual(unchanged);
  });

  it('truncates texts that would not fit into a message, whatever characters they contain, and says so', () => {
    for (const character of ['学', '😀', '\u0001', '"']) {
      const fitted = fitTexts(
        Array.from({ length: 200 }, () => character.repeat(8_000)),
        [],
      );
      expect(Buffer.byteLength(JSON.stringify(fitted))).toBeLessThan(600_000);
      const wrong = fitted.filter(
        ({ chunk_text: text, chunk_text_truncated }) => text === '' || !text.isWellFormed() || !chunk_text_truncated,
      );
      expect(wrong).toStrictEqual([]);
    }
  });

  it('leaves enough room for the longest snippets', () => {
    const maker = new SnippetMaker([{ language: 'none', term: 'a' }], [1]);
    const body = `${'"a '.repeat(80)}${'"'.repeat(7_000)}`;
    const snippets = Array.from({ length: 200 }, () => maker.make(body, 'none').snippet);
    const texts = fitTexts(
      snippets.map(() => body),
      snippets,
    );
    const results = texts.map((text, at) => ({
      file_id: encodeId('file', randomUUID()),
      score: 1 / 3,
      snippet: snippets[at],
      ...text,
    }));
    expect(Buffer.byteLength(JSON.stringify({ results }))).toBeLessThan(MESSAGE_BYTES_MAX - 10_000);
  });
});
