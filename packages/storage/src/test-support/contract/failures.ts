// Every failure has a code, and is reported before the deadline.
import { expect } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { ObjectStore } from '../../index.js';
import { type, type Contract, type StoreChange } from './peer.js';

export function testFailures(contract: Contract): void {
  contract.it('what is missing, forbidden or unreachable has its own code', async () => {
    await expect(contract.store.get('missing')).rejects.toMatchObject({
      name: 'StorageError',
      code: 'not_found',
      retryable: false,
    });
    expect(await contract.store.head('missing')).toBeNull();
    await contract.store.delete('missing');
    const failing: [StoreChange, object][] = [
      [{ wrongKey: true }, { name: 'StorageError', code: 'access_denied', retryable: false }],
      [{ endpoint: 'http://127.0.0.1:9' }, { name: 'StorageError', code: 'unavailable', retryable: true }],
    ];
    for (const [change, expected] of failing) {
      const other = contract.peer.open(change);
      await expect(other.get('missing')).rejects.toMatchObject(expected);
      // A ping has its own deadline.
      await eventually(() => expect(other.ping()).rejects.toMatchObject(expected));
      await expect(other.put('x', 'x', type)).rejects.toMatchObject(expected);
      await expect(other.deleteMany(['x'])).rejects.toMatchObject(expected);
      other.close();
    }
    const elsewhere = contract.peer.open({ bucket: `missing-${randomUUID().slice(0, 8)}` });
    await eventually(() => expect(elsewhere.ping()).rejects.toMatchObject({ code: 'invalid', retryable: false }));
    elsewhere.close();
    await eventually(() => contract.store.ping());
  });

  contract.it(
    'a call fails at the deadline when the store never responds, and also when it stalls within a body',
    async () => {
      const silent = createServer((request, response) => {
        if (request.url?.includes('stall'))
          response.writeHead(200, { 'content-length': 10, etag: '"1"' }).write('12345');
      });
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const opened: ObjectStore[] = [];
      const open = (requestTimeoutMs: number) => {
        const store = contract.peer.open({ endpoint, requestTimeoutMs });
        opened.push(store);
        return store;
      };
      const unavailable = { code: 'unavailable', retryable: true };
      const other = open(200);
      let patienceMs = 100;
      // On a busy machine the deadline may come before the body begins.
      const stalled = async () => (await open((patienceMs *= 2)).get('stall')).body;
      try {
        await expect(other.head('x')).rejects.toMatchObject(unavailable);
        await expect(other.put('x', 'body', type)).rejects.toMatchObject(unavailable);
        await expect(other.list('')).rejects.toMatchObject(unavailable);
        await expect(buffer(await eventually(stalled))).rejects.toMatchObject(unavailable);
      } finally {
        for (const store of opened) store.close();
        silent.close();
        silent.closeAllConnections();
      }
    },
  );
}
