import { expect, test } from '@jest/globals';
import { Readable } from 'node:stream';
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

test('every part but the last is full, however the stream is divided', async () => {
  const expected = ['abcd', 'efgh', 'ij'];
  for (const pieces of [['abcdefghij'], 'abcdefghij'.split(''), ['ab', 'cdefg', 'hij'], ['abcd', '', 'efgh', 'ij']]) {
    expect(await partsOf(Readable.from(pieces.map((piece) => Buffer.from(piece))), 4)).toStrictEqual(expected);
  }
  expect(await partsOf('abcdefghij', 4)).toStrictEqual(expected);
  expect(await partsOf(Buffer.from('abcd'), 4)).toStrictEqual(['abcd']);
});

test('an empty body yields one empty part', async () => {
  expect(await partsOf('', 4)).toStrictEqual(['']);
  expect(await partsOf(Readable.from([]), 4)).toStrictEqual(['']);
});

test('the buffer of a part is reused after the part was given back, and never before', async () => {
  const buffers = new PartBuffers(2);
  const parts = bodyParts(Readable.from([Buffer.from('abcdefgh')]), buffers);
  const take = async (): Promise<Buffer> => (await parts.next()).value as Buffer;
  const [first, second] = [await take(), await take()];
  buffers.giveBack(first);
  const third = await take();
  expect([first, second, third].map(String)).toStrictEqual(['ef', 'cd', 'ef']);
  buffers.giveBack(Buffer.from('not of these'));
  expect([String(await take()), String(second)]).toStrictEqual(['gh', 'cd']);
});

test('the memory of a piece is released once it is read, if the body owns its pieces', async () => {
  const pieces = (): Buffer[] => [Buffer.alloc(300_000, 'a'), Buffer.alloc(100_000, 'b')];
  for (const ownsPieces of [true, false]) {
    const sent = pieces();
    const parts: string[] = [];
    for await (const part of bodyParts(Readable.from(sent), new PartBuffers(350_000), ownsPieces)) {
      parts.push(part.toString());
    }
    expect(parts.join('')).toBe(Buffer.concat(pieces()).toString());
    expect(sent.map(({ length }) => length)).toStrictEqual(ownsPieces ? [0, 0] : [300_000, 100_000]);
  }
});

test('a piece of a larger buffer does not release the memory of that buffer', async () => {
  const whole = Buffer.alloc(600_000, 'a');
  for await (const _ of bodyParts(Readable.from([whole.subarray(0, 500_000)]), new PartBuffers(400_000), true));
  expect(whole.toString()).toBe('a'.repeat(600_000));
});
