import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { bodyParts } from './body-parts.js';

async function partsOf(body: Readable | Buffer | string, partBytes: number): Promise<string[]> {
  const parts: string[] = [];
  for await (const part of bodyParts(body, partBytes)) parts.push(part.toString());
  return parts;
}

test('parts are full but for the last, however the stream is cut', async () => {
  const expected = ['abcd', 'efgh', 'ij'];
  for (const pieces of [['abcdefghij'], 'abcdefghij'.split(''), ['ab', 'cdefg', 'hij'], ['abcd', '', 'efgh', 'ij']]) {
    assert.deepEqual(await partsOf(Readable.from(pieces.map((piece) => Buffer.from(piece))), 4), expected);
  }
  assert.deepEqual(await partsOf('abcdefghij', 4), expected);
  assert.deepEqual(await partsOf(Buffer.from('abcd'), 4), ['abcd']);
});

test('an empty body is one empty part', async () => {
  assert.deepEqual(await partsOf('', 4), ['']);
  assert.deepEqual(await partsOf(Readable.from([]), 4), ['']);
});
