import { expect, test } from '@jest/globals';
import { Readable } from 'node:stream';
import { azureParts } from './azure/azure-upload.js';
import { gcsParts } from './gcs/gcs-upload.js';
import { s3Parts } from './s3/s3-upload.js';
import { partsMemoryOf, uploadBody, type PartsUpload } from './upload-body.js';

const PART_BYTES = 300 * 1024;

test('the memory of a part that may still be read is not reused, the memory of other parts is', async () => {
  const parts: Buffer[] = [];
  const upload: PartsUpload = {
    sendPart: async (partNumber, part) => {
      parts.push(part);
      return { isStillRead: partNumber === 1 };
    },
    complete: async () => 'tag',
    abandon: async () => undefined,
  };
  const body = Readable.from(Array.from({ length: 6 }, (_, at) => Buffer.alloc(PART_BYTES, at + 1)));
  const stored = await uploadBody(
    'key',
    body,
    { contentType: 'x/y' },
    {
      partBytes: PART_BYTES,
      partsMax: 10,
      partsInFlight: 1,
      putWhole: () => {
        throw new Error('The body is not small.');
      },
      begin: async () => upload,
    },
  );
  expect(stored.sizeBytes).toBe(6 * PART_BYTES);
  const [first, ...others] = parts as [Buffer, ...Buffer[]];
  expect(first.equals(Buffer.alloc(PART_BYTES, 1))).toBe(true);
  expect(new Set(others.map(({ buffer }) => buffer)).size).toBeLessThan(others.length);
});

test.each([
  ['S3', s3Parts, 2],
  ['Azure', azureParts, 3],
  ['Google', gcsParts, 2],
])('a body for %s is in as many buffers as the plan says', async (_store, { partBytes: _real, ...plan }, count) => {
  const buffers = new Set<ArrayBufferLike>();
  const upload: PartsUpload = {
    sendPart: async (_partNumber, part) => {
      buffers.add(part.buffer);
      await new Promise(setImmediate);
    },
    complete: async () => 'tag',
    abandon: async () => undefined,
  };
  const body = Readable.from(Array.from({ length: 10 }, () => Buffer.alloc(PART_BYTES)));
  const protocol = { ...plan, partBytes: PART_BYTES, putWhole: async () => 'tag', begin: async () => upload };
  await uploadBody('key', body, { contentType: 'x/y' }, protocol);
  expect(buffers.size).toBe(count);
  expect(partsMemoryOf(protocol, 10 * PART_BYTES)).toBe(count * PART_BYTES);
});

test('parts of a very large body are larger, so that there are not too many', () => {
  expect(partsMemoryOf(s3Parts, s3Parts.partBytes * s3Parts.partsMax * 3)).toBe(2 * 3 * s3Parts.partBytes);
});
