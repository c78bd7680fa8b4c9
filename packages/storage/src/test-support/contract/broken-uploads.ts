// An upload that fails stores nothing.
import { expect } from '@jest/globals';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { broken, MEBIBYTE, repeated, type, type Contract } from './peer.js';

export function testBrokenUploads(contract: Contract): void {
  contract.it('a stream that fails or is aborted midway leaves no object and no trace in listings', async () => {
    const failing = Readable.from(broken());
    await expect(contract.store.put('broken/1', failing, type)).rejects.toMatchObject({
      name: 'StorageError',
      code: 'unavailable',
    });
    const controller = new AbortController();
    const endless = Readable.from(
      (async function* () {
        yield* repeated(Buffer.alloc(MEBIBYTE), 20);
        controller.abort();
        await once(process, 'never');
      })(),
    );
    const aborted = contract.store.put('broken/2', endless, { ...type, signal: controller.signal });
    await expect(aborted).rejects.toMatchObject({ name: 'StorageError', retryable: false });
    expect([await contract.store.head('broken/1'), await contract.store.head('broken/2')]).toStrictEqual([null, null]);
    expect(await contract.keysOf('broken/')).toStrictEqual([]);
    await contract.store.put('broken/2', 'whole', type);
    expect(await contract.textOf('broken/2')).toBe('whole');
  });

  contract.it('an object is replaced at once, and a replacement that fails keeps the old one', async () => {
    await contract.store.put('replaced', 'old', type);
    await contract.store.put('replaced', 'new', { contentType: 'x/new' });
    const failing = Readable.from(broken());
    await expect(contract.store.put('replaced', failing, type)).rejects.toThrow();
    expect(await contract.textOf('replaced')).toBe('new');
    expect((await contract.store.head('replaced'))?.contentType).toBe('x/new');
  });

  contract.it('a body of another size than announced is not stored', async () => {
    for (const count of [1, 10]) {
      const body = Readable.from(repeated(Buffer.alloc(MEBIBYTE), count));
      const put = contract.store.put('wrong-size', body, { ...type, sizeBytes: 5 });
      await expect(put).rejects.toMatchObject({ code: 'invalid', retryable: false });
    }
    expect(await contract.store.head('wrong-size')).toBeNull();
    const exact = Readable.from(repeated(Buffer.alloc(MEBIBYTE), 17));
    expect((await contract.store.put('right-size', exact, { ...type, sizeBytes: 17 * MEBIBYTE })).sizeBytes).toBe(
      17 * MEBIBYTE,
    );
  });

  contract.it('giving up stale uploads leaves objects and young uploads alone', async () => {
    await contract.store.put('complete', 'x', type);
    expect(await contract.store.abortStaleUploads({ olderThan: new Date(Date.now() - 3600_000) })).toBe(0);
    expect(await contract.textOf('complete')).toBe('x');
  });
}
