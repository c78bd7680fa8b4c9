// Streams the NDJSON of chunks out of the object store in batches of bounded size, each line validated.
import { badRequest, chunkLineSchema, describeProblems, unavailable, type ChunkLine } from '@kiln/contracts';
import { StorageError, type ObjectStore } from '@kiln/storage';
import { cleanText } from '../domain/clean-text.js';

/** A chunk has at most 8,000 characters; the rest is room for JSON's escapes and its heading path. */
const LINE_BYTES_MAX = 1_048_576;
const BATCH_CHUNKS_MAX = 500;
const BATCH_BYTES_MAX = 2_097_152;
const NEWLINE = 10;

async function* readLines(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const take = (part: Buffer) => {
    bytes += part.length;
    if (bytes > LINE_BYTES_MAX) throw badRequest(`chunks_key: a line is longer than ${LINE_BYTES_MAX} bytes`);
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
    throw badRequest(`chunks_key: line ${number} is not JSON`);
  }
  const result = chunkLineSchema.safeParse(value);
  if (!result.success) throw badRequest(`chunks_key: line ${number}: ${describeProblems(result.error)}`);
  const chunk = result.data;
  return { ...chunk, text: cleanText(chunk.text), heading_path: chunk.heading_path.map(cleanText) };
}

function translate(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error;
  if (error.code === 'not_found') return badRequest('chunks_key: there is no such object');
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

/** Chunks in the order of the object, their texts clean for Postgres. Throws BAD_REQUEST for an object that is no NDJSON of chunks. */
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
