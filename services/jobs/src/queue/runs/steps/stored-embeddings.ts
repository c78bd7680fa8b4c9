// The embeddings of a file as a later step needs them: the vector of each chunk, in order. A few are kept in memory. Others are read back from
// the variant, which has each chunk on a line of its own.
import type { ObjectStore } from '@kiln/storage';
import { createInterface } from 'node:readline';
import { z } from 'zod';

export interface StoredEmbeddings {
  readonly model: string;
  /** The length of each vector. 0: there are no chunks. */
  readonly dimensions: number;
  /** As base64 of Float32, little-endian. */
  vectors(): AsyncIterable<string> | Iterable<string>;
}

const HELD_CHARACTERS_MAX = 2_097_152;

const headSchema = z.object({ model: z.string(), dimensions: z.int().min(0) });
const chunkSchema = z.object({ embedding: z.array(z.number()) });

/** The first line of the variant. The chunks follow, and `CLOSING`. */
export const opening = (model: string, dimensions: number): string =>
  `{"model":${JSON.stringify(model)},"dimensions":${dimensions},"chunks":[\n`;
export const SEPARATOR = ',\n';
export const CLOSING = '\n]}';

/** Float32Array has the byte order of the machine, which is little-endian wherever Node.js runs. */
const encodeVector = (vector: readonly number[]): string =>
  Buffer.from(Float32Array.from(vector).buffer).toString('base64');

/** Collects vectors as they arrive, as long as they are few. */
export class HeldVectors {
  private held: string[] = [];
  private characters = 0;

  add(vectors: readonly (readonly number[])[]): void {
    for (const vector of vectors) {
      if (this.characters > HELD_CHARACTERS_MAX) return;
      const encoded = encodeVector(vector);
      this.characters += encoded.length;
      this.held.push(encoded);
    }
    if (this.characters > HELD_CHARACTERS_MAX) this.held = [];
  }

  /** Null when they were too many. */
  get all(): readonly string[] | null {
    return this.characters > HELD_CHARACTERS_MAX ? null : this.held;
  }
}

export async function openEmbeddings(
  objects: Pick<ObjectStore, 'get'>,
  key: string,
  signal: AbortSignal,
): Promise<StoredEmbeddings> {
  for await (const line of linesOf(objects, key, signal)) {
    const { model, dimensions } = headSchema.parse(JSON.parse(`${line}]}`));
    return { model, dimensions, vectors: () => vectorsIn(objects, key, signal) };
  }
  throw new Error('The stored embeddings are empty.');
}

async function* vectorsIn(objects: Pick<ObjectStore, 'get'>, key: string, signal: AbortSignal): AsyncGenerator<string> {
  let isHead = true;
  for await (const line of linesOf(objects, key, signal)) {
    if (!isHead && line.startsWith('{')) {
      const chunk: unknown = JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line);
      yield encodeVector(chunkSchema.parse(chunk).embedding);
    }
    isHead = false;
  }
}

async function* linesOf(objects: Pick<ObjectStore, 'get'>, key: string, signal: AbortSignal): AsyncGenerator<string> {
  const { body } = await objects.get(key, { signal });
  const lines = createInterface({ input: body, crlfDelay: Infinity });
  try {
    yield* lines;
  } finally {
    lines.close();
    body.destroy();
  }
}
