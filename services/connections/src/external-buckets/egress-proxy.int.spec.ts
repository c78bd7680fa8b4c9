// Real: a CONNECT proxy, the embedded object store, Azurite over https. Written from its documentation: Google Cloud Storage.
// Replaced: the name server.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OutboundPolicy } from '@kiln/outbound';
import { startConnectProxy, type ConnectProxy } from '@kiln/testing';
import {
  accessKeyStore,
  serviceAccountStore,
  servicePrincipalStore,
  workloadIdentityStore,
  type ForeignStore,
} from '../test/foreign-stores.js';
import { BucketOpener } from './bucket-opener.service.js';

const open = { requestTimeoutMs: 60_000 };

describe('a bucket behind an egress proxy', () => {
  let proxy: ConnectProxy;
  let plain: ForeignStore;
  let google: ForeignStore;
  let pooled: ForeignStore;
  let secure: ForeignStore;
  beforeAll(async () => {
    [proxy, plain, google, pooled, secure] = await Promise.all([
      startConnectProxy(),
      accessKeyStore(),
      serviceAccountStore(),
      workloadIdentityStore(),
      servicePrincipalStore(),
    ]);
  });
  beforeEach(() => void (proxy.asked.length = 0));
  afterAll(async () => {
    await Promise.all([plain.close(), google.close(), pooled.close(), secure.close()]);
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

  it('is reached over http and TLS; the proxy gets addresses, never names', async () => {
    for (const store of [plain, google, pooled, secure]) {
      expect(
        (await list(store, store.openerBy({ policy: policyOf('127.0.0.1,localhost'), proxyUrl: proxy.url }))).objects,
      ).toHaveLength(1);
    }
    // The pool has an address at which Kiln signs in, and so has the last store.
    expect(new Set(proxy.asked).size).toBe(6);
    for (const target of proxy.asked) expect(target).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  it('at a private address is never requested from the proxy', async () => {
    for (const store of [plain, google, pooled, secure]) {
      const opener = store.openerBy({ policy: policyOf(''), proxyUrl: proxy.url });
      await expect(list(store, opener)).rejects.toMatchObject({ code: 'endpoint_not_allowed' });
    }
    expect(proxy.asked).toStrictEqual([]);
  });

  it('that the proxy cannot reach is reported as unreachable, without details of the proxy', async () => {
    const opener = plain.openerBy({ policy: policyOf('127.0.0.1'), proxyUrl: 'http://127.0.0.1:1' });
    await expect(list(plain, opener)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.not.stringContaining('127.0.0.1'),
    });
  });
});
