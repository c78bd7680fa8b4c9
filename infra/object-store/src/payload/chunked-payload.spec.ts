import { expect, test } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { createHash, createHmac } from 'node:crypto';
import { S3Error } from '../s3-errors.js';
import { decodeChunked, type ChunkSigning } from './chunked-payload.js';

fc.configureGlobal({ seed: testSeed() });

const signing: ChunkSigning = {
  key: Buffer.alloc(32, 1),
  amzDate: '20261121T000000Z',
  scope: '20261121/us-east-1/s3/aws4_request',
  seedSignature: '0'.repeat(64),
};
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function encodeSigned(chunks: readonly Buffer[]): Buffer {
  let previous = signing.seedSignature;
  const encoded = [...chunks, Buffer.alloc(0)].map((chunk) => {
    const text = [
      'AWS4-HMAC-SHA256-PAYLOAD',
      signing.amzDate,
      signing.scope,
      previous,
      sha256(Buffer.alloc(0)),
      sha256(chunk),
    ];
    previous = createHmac('sha256', signing.key).update(text.join('\n')).digest('hex');
    const header = Buffer.from(`${chunk.length.toString(16)};chunk-signature=${previous}\r\n`);
    return Buffer.concat([header, chunk, Buffer.from('\r\n')]);
  });
  return Buffer.concat(encoded);
}

async function* inPieces(bytes: Buffer, pieceBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

async function decode(bytes: Buffer, pieceBytes = 7, signed = true): Promise<{ body: Buffer; trailers: string[] }> {
  const trailers: string[] = [];
  const onTrailer = (name: string, value: string): void => void trailers.push(`${name}=${value}`);
  const options = signed ? { signing, hasTrailer: false, onTrailer } : { hasTrailer: true, onTrailer };
  const pieces: Buffer[] = [];
  for await (const piece of decodeChunked(inPieces(bytes, pieceBytes), options)) pieces.push(piece);
  return { body: Buffer.concat(pieces), trailers };
}

const chunk = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes));

test('signed chunks decode to the same bytes however the network splits them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(chunk, { maxLength: 5 }),
      fc.integer({ min: 1, max: 200 }),
      async (chunks, pieceBytes) => {
        const { body } = await decode(encodeSigned(chunks), pieceBytes);
        expect(body).toStrictEqual(Buffer.concat(chunks));
      },
    ),
  );
});

test('one flipped bit anywhere, a missing end or bytes after it are refused', async () => {
  const encoded = encodeSigned([Buffer.from('hello'), Buffer.from('world')]);
  for (let at = 0; at < encoded.length; at += 1) {
    const tampered = Buffer.from(encoded);
    tampered[at] = (tampered[at] ?? 0) ^ 1;
    await expect(decode(tampered)).rejects.toThrow(S3Error);
    await expect(decode(encoded.subarray(0, at))).rejects.toThrow(S3Error);
  }
  await expect(decode(Buffer.concat([encoded, Buffer.from('x')]))).rejects.toThrow(S3Error);
});

test('the trailers of unsigned chunks are returned', async () => {
  const text = '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n';
  expect(await decode(Buffer.from(text), 3, false)).toStrictEqual({
    body: Buffer.from('hello'),
    trailers: ['x-amz-checksum-crc32=NhCmhg=='],
  });
});
