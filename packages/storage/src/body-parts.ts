// Splits a body of unknown length into parts of a fixed size, with one part in memory at a time.
import type { Readable } from 'node:stream';
import type { PartBuffers } from './part-buffers.js';
import { releaseMemory } from './release-memory.js';

/** For a smaller body, no buffer of a whole part is allocated. */
const SMALL_BYTES_MAX = 256 * 1024;

/** Yields full parts and a shorter last one. The caller gives each back to `buffers`. An empty body yields one empty part. */
export async function* bodyParts(
  body: Readable | Buffer | string,
  buffers: PartBuffers,
  ownsPieces = false,
): AsyncGenerator<Buffer> {
  const { partBytes } = buffers;
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    yield* bufferParts(Buffer.from(body), partBytes);
    return;
  }
  /** The beginning of the body, while the body may be small. */
  let beginning: Buffer[] | null = [];
  let part: Buffer | null = null;
  let filled = 0;
  for await (const raw of body as AsyncIterable<Buffer | string>) {
    let piece = Buffer.isBuffer(raw) ? raw : Buffer.from(raw);
    if (beginning !== null) {
      if (filled + piece.length < Math.min(partBytes, SMALL_BYTES_MAX)) {
        beginning.push(piece);
        filled += piece.length;
        continue;
      }
      part = filledWith(beginning, buffers.take());
      beginning = null;
    }
    while (piece.length > 0) {
      part ??= buffers.take();
      const copied = piece.copy(part, filled);
      filled += copied;
      piece = piece.subarray(copied);
      if (filled < partBytes) continue;
      yield part;
      part = null;
      filled = 0;
    }
    if (ownsPieces && Buffer.isBuffer(raw)) releaseMemory(raw);
  }
  if (beginning !== null) yield Buffer.concat(beginning, filled);
  else if (part !== null) yield part.subarray(0, filled);
}

function filledWith(pieces: readonly Buffer[], target: Buffer): Buffer {
  let at = 0;
  for (const piece of pieces) at += piece.copy(target, at);
  return target;
}

function* bufferParts(whole: Buffer, partBytes: number): Generator<Buffer> {
  for (let start = 0; start === 0 || start < whole.length; start += partBytes) {
    yield whole.subarray(start, start + partBytes);
  }
}
