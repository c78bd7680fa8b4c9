// The format of the variant `embeddings`: JSON with each chunk on a line of its own, so that it can be written and read as a stream.
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';

export interface StoredEmbeddings {
  readonly model: string;
  /** The length of each vector. 0: there are no chunks. */
  readonly dimensions: number;
  /** Of each chunk, in order, as base64 of Float32, little-endian. */
  vectors(): AsyncIterable<string> | Iterable<string>;
}

const headSchema = z.object({ model: z.string(), dimensions: z.int().min(0) });
const chunkSchema = z.object({ embedding: z.array(z.number()) });

/** The first line. The chunks follow, and `CLOSING`. */
export const opening = (model: string, dimensions: number): string =>
  `{"model":${JSON.stringify(model)},"dimensions":${dimensions},"chunks":[\n`;
export const SEPARATOR = ',\n';
export const CLOSING = '\n]}';

/** Float32Array has the byte order of the machine, which is little-endian wherever Node.js runs. */
export const encodeVector = (vector: readonly number[]): string =>
  Buffer.from(Float32Array.from(vector).buffer).toString('base64');

/** `open` is called here, and again for the vectors. */
export async function readEmbeddings(open: () => Promise<Readable>): Promise<StoredEmbeddings> {
  for await (const line of linesOf(open)) {
    const { model, dimensions } = headSchema.parse(JSON.parse(`${line}]}`));
    return { model, dimensions, vectors: () => vectorsIn(open) };
  }
  throw new Error('The stored embeddings are empty.');
}

/** Each chunk with its vector. Throws when there are fewer vectors than chunks, or more. */
export async function* withVectors<Chunk>(
  chunks: Iterable<Chunk> | AsyncIterable<Chunk>,
  embeddings: Pick<StoredEmbeddings, 'vectors'>,
): AsyncGenerator<readonly [Chunk, string]> {
  const vectors = iteratorOf(embeddings.vectors());
  try {
    for await (const chunk of chunks) {
      const next = await vectors.next();
      if (next.done === true) throw new Error('The stored embeddings lack a chunk of the file.');
      yield [chunk, next.value];
    }
    if ((await vectors.next()).done !== true)
      throw new Error('The stored embeddings have more vectors than the file has chunks.');
  } finally {
    await vectors.return?.();
  }
}

const iteratorOf = (vectors: AsyncIterable<string> | Iterable<string>): AsyncIterator<string> | Iterator<string> =>
  Symbol.asyncIterator in vectors ? vectors[Symbol.asyncIterator]() : vectors[Symbol.iterator]();

async function* vectorsIn(open: () => Promise<Readable>): AsyncGenerator<string> {
  let isHead = true;
  for await (const line of linesOf(open)) {
    if (!isHead && line.startsWith('{')) {
      const chunk: unknown = JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line);
      yield encodeVector(chunkSchema.parse(chunk).embedding);
    }
    isHead = false;
  }
}

async function* linesOf(open: () => Promise<Readable>): AsyncGenerator<string> {
  const body = await open();
  const lines = createInterface({ input: body, crlfDelay: Infinity });
  try {
    yield* lines;
  } finally {
    lines.close();
    body.destroy();
  }
}
