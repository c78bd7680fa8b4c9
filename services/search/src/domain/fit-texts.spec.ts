import { encodeId, MESSAGE_BYTES_MAX } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { fitTexts } from './fit-texts.js';
import { makeSnippet } from './snippet.js';

describe('fitTexts', () => {
  it('leaves texts of the usual size alone', () => {
    const texts = Array.from({ length: 200 }, () => 'x'.repeat(1_000));
    assert.deepEqual(fitTexts(texts, []), texts);
  });

  it('cuts what would not fit on the bus, whatever its characters', () => {
    for (const character of ['学', '😀', '\u0001', '"']) {
      const fitted = fitTexts(
        Array.from({ length: 200 }, () => character.repeat(8_000)),
        [],
      );
      assert.ok(Buffer.byteLength(JSON.stringify(fitted)) < 600_000);
      assert.ok(fitted.every((text) => text.length > 0 && text.isWellFormed()));
    }
  });

  it('leaves the longest snippets the room they need', () => {
    const weights = new Map([['a', 1]]);
    const body = `${'"a '.repeat(80)}${'"'.repeat(7_000)}`;
    const snippets = Array.from({ length: 200 }, () => makeSnippet(body, weights));
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
    assert.ok(Buffer.byteLength(JSON.stringify({ results })) < MESSAGE_BYTES_MAX - 10_000);
  });
});
