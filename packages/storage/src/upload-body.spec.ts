import { expect, test } from '@jest/globals';
import { Readable } from 'node:stream';
import { uploadBody, type PartsUpload } from './upload-body.js';

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
