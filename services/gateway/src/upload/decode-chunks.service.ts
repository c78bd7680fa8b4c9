// Decodes the bytes of a file that its server sends encoded (RFC 9110, section 8.4). Object stores send an object in
// the encoding with which it was stored, whatever encodings the request accepts.
import { badRequest } from '@kiln/contracts';
import { pipeline, type Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

const decoders = new Map<string, () => Duplex>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

/** Null for bytes that are sent as they are. Browsers take unknown encodings for that, too: some stores name a character set, or their own. */
export const decoderOf = (contentEncoding = ''): (() => Duplex) | null =>
  decoders.get(contentEncoding.trim().toLowerCase()) ?? null;

/** Throws the error of `chunks`, or BAD_REQUEST when they are not encoded so. */
export async function* decoded(chunks: AsyncIterable<Buffer>, decoder: () => Duplex): AsyncGenerator<Buffer> {
  let failure: unknown;
  const source = async function* () {
    try {
      yield* chunks;
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  try {
    for await (const chunk of pipeline(source, decoder(), () => undefined)) yield chunk as Buffer;
  } catch {
    throw failure ?? badRequest('url: The file is damaged: it cannot be decoded as its server says.');
  }
}
