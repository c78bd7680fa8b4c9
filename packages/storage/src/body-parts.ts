// Cuts a body of unknown length into parts of a fixed size, holding one part at a time.
import type { Readable } from 'node:stream';

/** Yields full parts and a last shorter one; an empty body yields one empty part. */
export async function* bodyParts(body: Readable | Buffer | string, partBytes: number): AsyncGenerator<Buffer> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    yield* bufferParts(Buffer.from(body), partBytes);
    return;
  }
  let pieces: Buffer[] = [];
  let held = 0;
  let yielded = 0;
  for await (const raw of body as AsyncIterable<Buffer | string>) {
    let piece = Buffer.isBuffer(raw) ? raw : Buffer.from(raw);
    while (held + piece.length >= partBytes) {
      const taken = partBytes - held;
      const part = Buffer.concat([...pieces, piece.subarray(0, taken)], partBytes);
      pieces = [];
      held = 0;
      piece = piece.subarray(taken);
      yielded += 1;
      yield part;
    }
    if (piece.length > 0) {
      pieces.push(piece);
      held += piece.length;
    }
  }
  if (held > 0 || yielded === 0) yield Buffer.concat(pieces, held);
}

function* bufferParts(whole: Buffer, partBytes: number): Generator<Buffer> {
  for (let start = 0; start === 0 || start < whole.length; start += partBytes) {
    yield whole.subarray(start, start + partBytes);
  }
}
