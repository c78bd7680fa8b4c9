// Real: a CONNECT proxy, the embedded object store, Azurite over https. Written from its documentation: Google Cloud Storage.
// Replaced: the name server.
import { OutboundPolicy } from '@kiln/outbound';
import { startConnectProxy, type ConnectProxy } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  accessKeyStore,
  serviceAccountStore,
  servicePrincipalStore,
  type ForeignStore,
} from '../test/foreign-stores.js';
import { BucketOpener } from './bucket-opener.js';

const open = { requestTimeoutMs: 10_000 };

describe('a bucket by way of an egress proxy', () => {
  let proxy: ConnectProxy;
  let plain: ForeignStore;
  let google: ForeignStore;
  let secure: ForeignStore;
  before(async () => {
    [proxy, plain, google, secure] = await Promise.all([
      startConnectProxy(),
      accessKeyStore(),
      serviceAccountStore(),
      servicePrincipalStore(),
    ]);
  });
  beforeEach(() => void (proxy.asked.length = 0));
  after(async () => {
    await Promise.all([plain.close(), google.close(), secure.close()]);
    await proxy.close();
  });

  const policyOf = (allow: string) =>
    new OutboundPolicy({ allow, resolveByDns: async () => ['127.0.0.1'], resolveBySystem: async () => ['127.0.0.1'] });

  async function list(store: ForeignStore, opener: BucketOpener) {
    const bucket = await opener.open({ ...store, region: null }, store.credentials, open);
    try {
      return await bucket.list({ prefix: store.prefix, limit: 1 });
    } finally {
      bucket.close();
    }
  }

  it('is reached over plain http and over TLS, and the proxy is asked for addresses, never for a name', async () => {
    for (const store of [plain, google, secure]) {
      assert.equal(
        (await list(store, store.openerBy({ policy: policyOf('127.0.0.1,localhost'), proxyUrl: proxy.url }))).objects
          .length,
        1,
      );
    }
    // Of the last one, the account and where its application signs in.
    assert.equal(proxy.asked.length, 4);
    for (const target of proxy.asked) assert.match(target, /^127\.0\.0\.1:\d+$/);
  });

  it('at a private address is not even asked for', async () => {
    for (const store of [plain, google, secure]) {
      const opener = store.openerBy({ policy: policyOf(''), proxyUrl: proxy.url });
      await assert.rejects(list(store, opener), { code: 'endpoint_not_allowed' });
    }
    assert.deepEqual(proxy.asked, []);
  });

  it('that the proxy does not reach is told as such, without a word about the proxy', async () => {
    const opener = plain.openerBy({ policy: policyOf('127.0.0.1'), proxyUrl: 'http://127.0.0.1:1' });
    await assert.rejects(list(plain, opener), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'unreachable');
      assert.ok(!error.message.includes('127.0.0.1'));
      return true;
    });
  });
});
