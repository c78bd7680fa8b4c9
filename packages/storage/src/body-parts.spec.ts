import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { bodyParts } from './body-parts.js';
import { PartBuffers } from './part-buffers.js';

async function partsOf(body: Readable | Buffer | string, partBytes: number): Promise<string[]> {
  const parts: string[] = [];
  const buffers = new PartBuffers(partBytes);
  for await (const part of bodyParts(body, buffers)) {
    parts.push(part.toString());
    buffers.giveBack(part);
  }
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

test('a part is written over once it was given back, and never before', async () => {
  const buffers = new PartBuffers(2);
  const parts = bodyParts(Readable.from([Buffer.from('abcdefgh')]), buffers);
  const take = async (): Promise<Buffer> => (await parts.next()).value as Buffer;
  const [first, second] = [await take(), await take()];
  buffers.giveBack(first);
  const third = await take();
  assert.deepEqual([first, second, third].map(String), ['ef', 'cd', 'ef']);
  buffers.giveBack(Buffer.from('not of these'));
  assert.deepEqual([String(await take()), String(second)], ['gh', 'cd']);
});

test('pieces give their memory back once they are read, if they are nobody else’s', async () => {
  const pieces = (): Buffer[] => [Buffer.alloc(300_000, 'a'), Buffer.alloc(100_000, 'b')];
  for (const ownsPieces of [true, false]) {
    const sent = pieces();
    const parts: string[] = [];
    for await (const part of bodyParts(Readable.from(sent), new PartBuffers(350_000), ownsPieces)) {
      parts.push(part.toString());
    }
    assert.equal(parts.join(''), Buffer.concat(pieces()).toString());
    assert.deepEqual(
      sent.map(({ length }) => length),
      ownsPieces ? [0, 0] : [300_000, 100_000],
    );
  }
});

test('a piece of something larger leaves its memory to the rest of it', async () => {
  const whole = Buffer.alloc(600_000, 'a');
  for await (const _ of bodyParts(Readable.from([whole.subarray(0, 500_000)]), new PartBuffers(400_000), true));
  assert.equal(whole.toString(), 'a'.repeat(600_000));
});
