// Every failure has a code, and comes in time.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type, type Contract, type StoreChange } from './peer.js';

export function testFailures(contract: Contract): void {
  contract.it('what is missing, forbidden or unreachable has its own code', async () => {
    await assert.rejects(contract.store.get('missing'), { name: 'StorageError', code: 'not_found', retryable: false });
    assert.equal(await contract.store.head('missing'), null);
    await contract.store.delete('missing');
    const failing: [StoreChange, object][] = [
      [{ wrongKey: true }, { name: 'StorageError', code: 'access_denied', retryable: false }],
      [{ endpoint: 'http://127.0.0.1:9' }, { name: 'StorageError', code: 'unavailable', retryable: true }],
    ];
    for (const [change, expected] of failing) {
      const other = contract.peer.open(change);
      await assert.rejects(other.get('missing'), expected);
      await assert.rejects(other.ping(), expected);
      await assert.rejects(other.put('x', 'x', type), expected);
      await assert.rejects(other.deleteMany(['x']), expected);
      other.close();
    }
    const elsewhere = contract.peer.open({ bucket: `missing-${randomUUID().slice(0, 8)}` });
    await assert.rejects(elsewhere.ping(), { code: 'invalid', retryable: false });
    elsewhere.close();
    await contract.store.ping();
  });

  contract.it('a store that never answers is given up at the deadline, one that stalls in a body too', async () => {
    const silent = createServer((request, response) => {
      if (request.url?.includes('stall')) response.writeHead(200, { 'content-length': 10, etag: '"1"' }).write('12345');
    });
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const other = contract.peer.open({ endpoint, requestTimeoutMs: 200 });
    try {
      await assert.rejects(other.head('x'), { code: 'unavailable', retryable: true });
      await assert.rejects(other.put('x', 'body', type), { code: 'unavailable', retryable: true });
      await assert.rejects(other.list(''), { code: 'unavailable', retryable: true });
      const { body } = await other.get('stall');
      await assert.rejects(buffer(body), { code: 'unavailable', retryable: true });
    } finally {
      other.close();
      silent.close();
      silent.closeAllConnections();
    }
  });
}
