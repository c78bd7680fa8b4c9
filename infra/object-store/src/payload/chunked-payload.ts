// Decodes `aws-chunked` bodies (Amazon S3 API reference, "Signature Calculations: Transferring Payload in Multiple Chunks"):
//   hex-size[;chunk-signature=…] CRLF bytes CRLF … 0[;chunk-signature=…] CRLF [trailer: value CRLF …] CRLF
// The bytes of a chunk are yielded before its signature is verified, so the consumer must not commit before the end.
import { createHash, createHmac } from 'node:crypto';
import { ByteReader } from './byte-reader.js';
import type { Authenticated } from '../auth/authenticated.js';
import { assertSameSignature } from '../auth/signature.js';
import { S3Error } from '../s3-errors.js';

const LINE_BYTES_MAX = 8 * 1024;
const TRAILERS_MAX = 16;
const CHUNK_BYTES_MAX = 5 * 1024 ** 3;
const EMPTY_SHA256 = createHash('sha256').digest('hex');

export type ChunkSigning = NonNullable<Authenticated['chunkSigning']>;

export interface ChunkedOptions {
  /** Absent for STREAMING-UNSIGNED-PAYLOAD-TRAILER. */
  signing?: ChunkSigning;
  hasTrailer: boolean;
  onTrailer: (name: string, value: string) => void;
}

export async function* decodeChunked(source: AsyncIterable<Buffer>, options: ChunkedOptions): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  const signatures = options.signing === undefined ? undefined : new SignatureChain(options.signing);
  for (;;) {
    const { sizeBytes, signature } = parseChunkHeader(await reader.line(LINE_BYTES_MAX));
    const hash = signatures === undefined ? undefined : createHash('sha256');
    for await (const piece of reader.bytes(sizeBytes)) {
      hash?.update(piece);
      yield piece;
    }
    if (hash !== undefined) signatures?.verifyChunk(hash.digest('hex'), signature);
    if (sizeBytes === 0) break;
    await expectEmptyLine(reader);
  }
  if (options.hasTrailer) await readTrailers(reader, options, signatures);
  else await expectEmptyLine(reader);
  await reader.end();
}

function parseChunkHeader(line: string): { sizeBytes: number; signature: string } {
  const match = /^([0-9a-fA-F]{1,16})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(line);
  const sizeBytes = Number.parseInt(match?.[1] ?? '', 16);
  if (match === null || !(sizeBytes <= CHUNK_BYTES_MAX))
    throw new S3Error('InvalidRequest', 'A chunk header is not valid.');
  return { sizeBytes, signature: match[2] ?? '' };
}

async function expectEmptyLine(reader: ByteReader): Promise<void> {
  if ((await reader.line(LINE_BYTES_MAX)) !== '')
    throw new S3Error('InvalidRequest', 'A chunk is longer than announced.');
}

async function readTrailers(
  reader: ByteReader,
  options: ChunkedOptions,
  signatures: SignatureChain | undefined,
): Promise<void> {
  let signed = '';
  let signature = '';
  for (let count = 0; ; count += 1) {
    const line = (await reader.line(LINE_BYTES_MAX)).replace(/\n$/, '');
    if (line === '') break;
    const at = line.indexOf(':');
    if (at < 1 || count >= TRAILERS_MAX) throw new S3Error('InvalidRequest', 'A trailer is not valid.');
    const name = line.slice(0, at).trim().toLowerCase();
    const value = line.slice(at + 1).trim();
    if (name === 'x-amz-trailer-signature') {
      signature = value;
    } else {
      signed += `${name}:${value}\n`;
      options.onTrailer(name, value);
    }
  }
  signatures?.verifyTrailers(createHash('sha256').update(signed).digest('hex'), signature);
}

/** Every chunk's signature signs the one before it, starting with the request's own. */
class SignatureChain {
  readonly #signing: ChunkSigning;
  #previous: string;

  constructor(signing: ChunkSigning) {
    this.#signing = signing;
    this.#previous = signing.seedSignature;
  }

  verifyChunk(hash: string, signature: string): void {
    this.#verify(['AWS4-HMAC-SHA256-PAYLOAD', this.#previous, EMPTY_SHA256, hash], signature);
  }

  verifyTrailers(hash: string, signature: string): void {
    this.#verify(['AWS4-HMAC-SHA256-TRAILER', this.#previous, hash], signature);
  }

  #verify([algorithm = '', ...rest]: string[], signature: string): void {
    const { amzDate, scope, key } = this.#signing;
    const text = [algorithm, amzDate, scope, ...rest].join('\n');
    assertSameSignature(createHmac('sha256', key).update(text).digest('hex'), signature);
    this.#previous = signature;
  }
}
