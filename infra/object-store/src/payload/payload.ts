// Opens a request body as a stream of its decoded bytes, and verifies the client's statements about it: length, payload hash, chunk signatures,
// checksums. The stream ends without an error only when all are correct, so a consumer must commit after the end and never before.
import { createHash } from 'node:crypto';
import { checksumGuardOf } from './checksums.js';
import { decodeChunked } from './chunked-payload.js';
import type { Authenticated } from '../auth/authenticated.js';
import { UNSIGNED_PAYLOAD } from '../auth/signature.js';
import type { S3Request } from '../request.js';
import { S3Error } from '../s3-errors.js';

/** The time limit of a body: this long, plus the time for its bytes at this rate. */
const GRACE_MS = 60_000;
const BYTES_PER_SECOND_MIN = 8 * 1024;

export interface Payload {
  sizeBytes: number;
  pieces: AsyncIterable<Buffer>;
}

/** `headerNames`: the headers that may contain checksums of the body. Default: all headers. */
export function openPayload(
  request: S3Request,
  auth: Authenticated,
  sizeBytesMax: number,
  headerNames: readonly string[] = Object.keys(request.raw.headers),
): Payload {
  const streaming = auth.payloadHash.startsWith('STREAMING-');
  const sizeBytes = lengthOf(request, streaming ? 'x-amz-decoded-content-length' : 'content-length');
  if (sizeBytes > sizeBytesMax) throw new S3Error('EntityTooLarge');
  return { sizeBytes, pieces: verified(request, auth, sizeBytes, headerNames) };
}

/** Reads a small body as text, for XML. */
export async function readTextPayload(
  request: S3Request,
  auth: Authenticated,
  sizeBytesMax: number,
  headerNames?: readonly string[],
): Promise<string> {
  const hasLength = request.header('content-length') !== undefined || auth.payloadHash.startsWith('STREAMING-');
  if (!hasLength && request.header('transfer-encoding') === undefined) return '';
  let payload: Payload;
  try {
    payload = openPayload(request, auth, sizeBytesMax, headerNames);
  } catch (error) {
    if (error instanceof S3Error && error.code === 'EntityTooLarge') throw new S3Error('MaxMessageLengthExceeded');
    throw error;
  }
  const pieces: Buffer[] = [];
  for await (const piece of payload.pieces) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

function lengthOf(request: S3Request, name: string): number {
  const text = request.header(name);
  if (text === undefined) throw new S3Error('MissingContentLength', `The ${name} header is required.`);
  if (!/^\d{1,15}$/.test(text)) throw new S3Error('InvalidArgument', `The ${name} header is not valid.`);
  return Number(text);
}

async function* verified(
  request: S3Request,
  auth: Authenticated,
  sizeBytes: number,
  headerNames: readonly string[],
): AsyncGenerator<Buffer> {
  const guard = checksumGuardOf(request.header, headerNames);
  const expectedHash = hashClaim(auth.payloadHash);
  const hash = expectedHash === undefined ? undefined : createHash('sha256');
  let received = 0;
  for await (const piece of decoded(request, auth, sizeBytes, (name, value) => guard.claimTrailer(name, value))) {
    received += piece.length;
    if (received > sizeBytes) throw new S3Error('IncompleteBody', 'More bytes arrived than announced.');
    hash?.update(piece);
    guard.update(piece);
    yield piece;
  }
  if (received < sizeBytes) throw new S3Error('IncompleteBody');
  if (hash !== undefined && hash.digest('hex') !== expectedHash) throw new S3Error('XAmzContentSHA256Mismatch');
  guard.verify();
}

function hashClaim(payloadHash: string): string | undefined {
  if (/^[0-9a-f]{64}$/.test(payloadHash)) return payloadHash;
  if (payloadHash === UNSIGNED_PAYLOAD || payloadHash.startsWith('STREAMING-')) return undefined;
  throw new S3Error('InvalidArgument', 'x-amz-content-sha256 is not valid.');
}

function decoded(
  request: S3Request,
  auth: Authenticated,
  sizeBytes: number,
  onTrailer: (name: string, value: string) => void,
): AsyncIterable<Buffer> {
  const source = received(request, sizeBytes);
  const { payloadHash, chunkSigning } = auth;
  if (!payloadHash.startsWith('STREAMING-')) return source;
  if (payloadHash === 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') {
    return decodeChunked(source, { hasTrailer: true, onTrailer });
  }
  const signed = /^STREAMING-AWS4-HMAC-SHA256-PAYLOAD(-TRAILER)?$/.exec(payloadHash);
  if (signed === null) throw new S3Error('NotImplemented', `Payloads of kind ${payloadHash} are not supported.`);
  if (chunkSigning === undefined) throw new S3Error('InvalidRequest', 'Signed chunks need header authentication.');
  return decodeChunked(source, { signing: chunkSigning, hasTrailer: signed[1] !== undefined, onTrailer });
}

/** The raw bytes of the body, with a time limit that every normal client can meet. */
async function* received(request: S3Request, sizeBytes: number): AsyncGenerator<Buffer> {
  const { raw, response } = request;
  // The client waits for permission to send the body (Expect: 100-continue). The headers are valid, so it is granted.
  if (request.header('expect')?.toLowerCase() === '100-continue') response.writeContinue();
  const limitMs = GRACE_MS + (sizeBytes / BYTES_PER_SECOND_MIN) * 1000;
  let late = false;
  const timer = setTimeout(
    () => {
      late = true;
      raw.destroy();
    },
    Math.min(limitMs, 2 ** 31 - 1),
  );
  try {
    // Destroying the request on an early end would cut the connection before the client reads why it failed.
    for await (const piece of raw.iterator({ destroyOnReturn: false })) yield piece as Buffer;
  } catch {
    throw new S3Error(late ? 'RequestTimeout' : 'IncompleteBody');
  } finally {
    clearTimeout(timer);
  }
}
