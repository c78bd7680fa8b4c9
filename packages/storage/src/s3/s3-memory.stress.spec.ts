// The S3 adapter with the embedded store, in one process.
import { expect, test } from '@jest/globals';
import { startObjectStore } from '@kiln/object-store';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { MEBIBYTE, repeated } from '../test-support/contract/peer.js';
import { createS3ObjectStore } from './index.js';

const LARGE_MEBIBYTES = 256;

test(`${LARGE_MEBIBYTES} MiB of unknown length are stored and read with memory for a few parts`, async () => {
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
  const directory = await mkdtemp(join(tmpdir(), 'kiln-storage-'));
  const server = await startObjectStore({ directory, ...credentials, durable: false });
  const place = { endpoint: server.url, region: 'us-east-1', bucket: 'files', forcePathStyle: true };
  const store = createS3ObjectStore({ ...place, ...credentials });
  await store.ensureBucket();
  const piece = Buffer.alloc(MEBIBYTE, 'x');
  const startBytes = process.memoryUsage.rss();
  let peakBytes = 0;
  const measure = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss())), 20);
  try {
    const body = Readable.from(repeated(piece, LARGE_MEBIBYTES));
    await store.put('large', body, { contentType: 'x/y' });
    let readBytes = 0;
    for await (const chunk of (await store.get('large')).body) readBytes += (chunk as Buffer).length;
    expect(readBytes).toBe(LARGE_MEBIBYTES * MEBIBYTE);
  } finally {
    clearInterval(measure);
    store.close();
    await server.close(1_000);
    await rm(directory, { recursive: true, force: true });
  }
  expect((peakBytes - startBytes) / MEBIBYTE).toBeLessThan(LARGE_MEBIBYTES * 0.75);
});
