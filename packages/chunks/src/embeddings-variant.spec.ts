import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { CLOSING, encodeVector, opening, readEmbeddings, SEPARATOR, withVectors } from './embeddings-variant.js';

const VECTORS = [
  [0.5, -1],
  [2, 0.25],
];
const LINES = VECTORS.map((embedding, index) => JSON.stringify({ index, text: 'a "line"\nend', embedding }));
const VARIANT = opening('a "model"', 2) + LINES.join(SEPARATOR) + CLOSING;

/** In pieces that end anywhere. */
const open = (text: string) => () =>
  Promise.resolve(Readable.from(text.match(/.{1,7}/gs) ?? [], { objectMode: false }));

describe('the variant embeddings', () => {
  it('is JSON, and is read line by line with the same vectors', async () => {
    expect(JSON.parse(VARIANT)).toMatchObject({
      model: 'a "model"',
      dimensions: 2,
      chunks: [{ index: 0 }, { index: 1 }],
    });
    const embeddings = await readEmbeddings(open(VARIANT));
    expect(embeddings).toMatchObject({ model: 'a "model"', dimensions: 2 });
    const read: unknown[] = [];
    for await (const pair of withVectors(['one', 'two'], embeddings)) read.push(pair);
    expect(read).toStrictEqual([
      ['one', encodeVector(VECTORS[0] ?? [])],
      ['two', encodeVector(VECTORS[1] ?? [])],
    ]);
  });

  it('without chunks has no vectors', async () => {
    const embeddings = await readEmbeddings(open(opening('small', 0) + CLOSING));
    const read: string[] = [];
    for await (const vector of embeddings.vectors()) read.push(vector);
    expect([embeddings.dimensions, read]).toStrictEqual([0, []]);
  });

  it('fails when it lacks the vector of a chunk, has more vectors than chunks, or is empty', async () => {
    const embeddings = await readEmbeddings(open(VARIANT));
    const readOne = async () => {
      for await (const [chunk] of withVectors(['one'], embeddings)) expect(chunk).toBe('one');
    };
    await expect(readOne()).rejects.toThrow(/more vectors than/);
    const read = async () => {
      for await (const [chunk] of withVectors(['one', 'two', 'three'], embeddings)) expect(chunk).not.toBe('three');
    };
    await expect(read()).rejects.toThrow(/lack a chunk/);
    await expect(readEmbeddings(open(''))).rejects.toThrow(/empty/);
  });
});
