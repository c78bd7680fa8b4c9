// Nothing half stored is ever seen.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { broken, MEBIBYTE, repeated, type, type Contract } from './peer.js';

export function testBrokenUploads(contract: Contract): void {
  contract.it('a stream that fails or is aborted midway leaves no object and no trace in listings', async () => {
    const failing = Readable.from(broken());
    await assert.rejects(contract.store.put('broken/1', failing, type), { name: 'StorageError', code: 'unavailable' });
    const controller = new AbortController();
    const endless = Readable.from(
      (async function* () {
        yield* repeated(Buffer.alloc(MEBIBYTE), 20);
        controller.abort();
        await once(process, 'never');
      })(),
    );
    const aborted = contract.store.put('broken/2', endless, { ...type, signal: controller.signal });
    await assert.rejects(aborted, { name: 'StorageError', retryable: false });
    assert.deepEqual([await contract.store.head('broken/1'), await contract.store.head('broken/2')], [null, null]);
    assert.deepEqual(await contract.keysOf('broken/'), []);
    await contract.store.put('broken/2', 'whole', type);
    assert.equal(await contract.textOf('broken/2'), 'whole');
  });

  contract.it('an object is replaced at once, and a replacement that fails keeps the old one', async () => {
    await contract.store.put('replaced', 'old', type);
    await contract.store.put('replaced', 'new', { contentType: 'x/new' });
    const failing = Readable.from(broken());
    await assert.rejects(contract.store.put('replaced', failing, type));
    assert.equal(await contract.textOf('replaced'), 'new');
    assert.equal((await contract.store.head('replaced'))?.contentType, 'x/new');
  });

  contract.it('a body of another size than announced is not stored', async () => {
    for (const count of [1, 10]) {
      const body = Readable.from(repeated(Buffer.alloc(MEBIBYTE), count));
      const put = contract.store.put('wrong-size', body, { ...type, sizeBytes: 5 });
      await assert.rejects(put, { code: 'invalid', retryable: false });
    }
    assert.equal(await contract.store.head('wrong-size'), null);
    const exact = Readable.from(repeated(Buffer.alloc(MEBIBYTE), 17));
    assert.equal(
      (await contract.store.put('right-size', exact, { ...type, sizeBytes: 17 * MEBIBYTE })).sizeBytes,
      17 * MEBIBYTE,
    );
  });

  contract.it('giving up stale uploads leaves objects and young uploads alone', async () => {
    await contract.store.put('settled', 'x', type);
    assert.equal(await contract.store.abortStaleUploads({ olderThan: new Date(Date.now() - 3600_000) }), 0);
    assert.equal(await contract.textOf('settled'), 'x');
  });
}
