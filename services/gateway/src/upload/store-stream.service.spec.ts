import { describe, expect, it } from '@jest/globals';
import type { ObjectStore } from '@kiln/storage';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { storeStream } from './store-stream.service.js';

/** A store in memory that keeps each object as one buffer. */
class MemoryStore implements Pick<ObjectStore, 'put'> {
  readonly objects = new Map<string, { bytes: Buffer; contentType: string }>();
  async put(key: string, body: Readable | Buffer | string, { contentType }: { contentType: string }) {
    const pieces: Buffer[] = [];
    if (Buffer.isBuffer(body)) pieces.push(body);
    else for await (const piece of body as AsyncIterable<Buffer>) pieces.push(piece);
    this.objects.set(key, { bytes: Buffer.concat(pieces), contentType });
    return { sizeBytes: 0, etag: '' };
  }
}

const target = (store: MemoryStore, bytesMax: number) => ({
  store,
  key: 'k',
  bytesMax,
  filename: 'a.bin',
  claimedType: 'application/octet-stream',
});

describe('a stored stream', () => {
  it.each([0, 1, 4_100, 32_768, 32_769, 200_000])(
    'arrives whole, with its size, SHA-256 and beginning, if it has %i bytes',
    async (size) => {
      const bytes = Buffer.alloc(size, 'ab');
      const store = new MemoryStore();
      const pieces = Readable.from(size === 0 ? [] : [bytes.subarray(0, 7), bytes.subarray(7)]);
      const stored = await storeStream(pieces as AsyncIterable<Buffer>, target(store, size));
      expect(stored.sizeBytes).toBe(size);
      expect(stored.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(stored.head).toStrictEqual(bytes.subarray(0, 32_768));
      expect(store.objects.get('k')?.bytes.equals(bytes)).toBe(true);
    },
  );

  it('is typed by its bytes and not by its name', async () => {
    const store = new MemoryStore();
    const pdf = Readable.from([Buffer.from('%PDF-1.7\n')]) as AsyncIterable<Buffer>;
    await storeStream(pdf, { ...target(store, 100), filename: 'a.txt', claimedType: 'text/plain' });
    expect(store.objects.get('k')?.contentType).toBe('application/pdf');
  });

  it('is refused one byte above the limit, early or late, and nothing is stored', async () => {
    for (const size of [11, 100_001]) {
      const store = new MemoryStore();
      const source = Readable.from([Buffer.alloc(size - 1), Buffer.alloc(1)]) as AsyncIterable<Buffer>;
      await expect(storeStream(source, target(store, size - 1))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
      expect(store.objects.size).toBe(0);
    }
  });

  it('fails with the reason of its source, not with what the store made of it', async () => {
    const source = (async function* () {
      yield Buffer.alloc(50_000);
      throw new Error('the caller went away');
    })();
    await expect(storeStream(source, target(new MemoryStore(), 100_000))).rejects.toThrow(/the caller went away/);
  });

  it('is UNAVAILABLE when the store is', async () => {
    const store = new MemoryStore();
    store.put = () => Promise.reject(new Error('connection refused'));
    const source = Readable.from([Buffer.alloc(5)]) as AsyncIterable<Buffer>;
    await expect(storeStream(source, target(store, 10))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
