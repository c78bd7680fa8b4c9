// Reads chunks, either from the call or from an NDJSON object in the object store. The object is streamed: batches have a bounded size, and
// each line is validated.
import { badRequest, chunkLineSchema, describeProblems, unavailable, type ChunkLine } from '@kiln/contracts';
import { StorageError, type ObjectStore } from '@kiln/storage';
import { cleanText } from '../analysis/domain/clean-text.js';

/** A chunk has at most 8,000 characters. The rest is for JSON escapes and the heading path. */
const LINE_BYTES_MAX = 1_048_576;
const BATCH_CHUNKS_MAX = 500;
const BATCH_BYTES_MAX = 2_097_152;
const NEWLINE = 10;

async function* readLines(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const take = (part: Buffer) => {
    bytes += part.length;
    if (bytes > LINE_BYTES_MAX) throw badRequest(`chunks_key: a line exceeds ${LINE_BYTES_MAX} bytes`);
    parts.push(part);
  };
  for await (const data of body) {
    let start = 0;
    for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, start)) {
      take(data.subarray(start, end));
      yield Buffer.concat(parts);
      [parts, bytes, start] = [[], 0, end + 1];
    }
    take(data.subarray(start));
  }
  if (bytes > 0) yield Buffer.concat(parts);
}

function parseLine(line: Buffer, number: number): ChunkLine {
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch {
    throw badRequest(`chunks_key: line ${number} is not valid JSON`);
  }
  const result = chunkLineSchema.safeParse(value);
  if (!result.success) throw badRequest(`chunks_key: line ${number}: ${describeProblems(result.error)}`);
  return clean(result.data);
}

/** Removes what PostgreSQL cannot store. */
const clean = (chunk: ChunkLine): ChunkLine => ({
  ...chunk,
  text: cleanText(chunk.text),
  heading_path: chunk.heading_path.map(cleanText),
});

/** Validates chunks that came with the call. Throws BAD_REQUEST when they are not numbered from 0. */
export const cleanChunks = (chunks: readonly ChunkLine[]): ChunkLine[] =>
  chunks.map((chunk, expected) => {
    if (chunk.index !== expected) throw badRequest(`chunks: the index of chunk ${expected} is ${chunk.index}`);
    return clean(chunk);
  });

/** Yields batches of chunks. Their number is not known in advance. */
export async function* batchesOfLines(lines: AsyncIterable<ChunkLine>): AsyncGenerator<ChunkLine[]> {
  let batch: ChunkLine[] = [];
  let characters = 0;
  for await (const line of lines) {
    batch.push(clean(line));
    characters += line.text.length + (line.vector?.length ?? 0);
    if (batch.length < BATCH_CHUNKS_MAX && characters < BATCH_BYTES_MAX) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

export function* inBatches(chunks: readonly ChunkLine[]): Generator<ChunkLine[]> {
  for (let at = 0; at < chunks.length; at += BATCH_CHUNKS_MAX) yield chunks.slice(at, at + BATCH_CHUNKS_MAX);
}

function translate(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error;
  if (error.code === 'not_found') return badRequest('chunks_key: the object does not exist');
  return error.retryable ? unavailable('The object store', error) : error;
}

async function* batchesOf(body: AsyncIterable<Buffer>): AsyncGenerator<ChunkLine[]> {
  let batch: ChunkLine[] = [];
  let bytes = 0;
  let number = 0;
  let expected = 0;
  for await (const line of readLines(body)) {
    number++;
    if (line.length === 0) continue;
    const chunk = parseLine(line, number);
    if (chunk.index !== expected) throw badRequest(`chunks_key: line ${number}: index must be ${expected}`);
    expected++;
    batch.push(chunk);
    bytes += line.length;
    if (batch.length < BATCH_CHUNKS_MAX && bytes < BATCH_BYTES_MAX) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** Yields the chunks of an object, in order. Throws BAD_REQUEST when the object is not NDJSON of chunks. */
export async function* readChunks(store: ObjectStore, key: string, signal: AbortSignal): AsyncGenerator<ChunkLine[]> {
  try {
    const { body } = await store.get(key, { signal });
    try {
      yield* batchesOf(body);
    } finally {
      body.destroy();
    }
  } catch (error) {
    if (signal.aborted) throw unavailable('Indexing within the deadline', error);
    throw translate(error);
  }
}
