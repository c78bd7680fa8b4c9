// Real: HTTP to a provider on loopback. Faked: the jobs service, which holds the sealed keys.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { CallContext } from '@kiln/contracts';
import { EmbeddingEngines } from '@kiln/model-clients/embedding/embedding-engines';
import { ModelServers } from '@kiln/model-clients/admission/model-servers';
import { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import { providerKeyContext, Sealer, type EmbeddingConfig } from '@kiln/platform';
import { embeddingOf, misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { OrganizationKeys } from './organization-keys.adapter.js';
import { QueryEmbedder } from './query-embedder.service.js';

const TENANT = randomUUID();
const live: CallContext = {
  requestId: 'test',
  tenantId: TENANT,
  mode: 'live',
  principal: 'test',
  deadlineAt: Date.now() + 60_000,
};

describe('a query', () => {
  const http = new ProviderHttp();
  const sealer = new Sealer(randomBytes(32).toString('base64'));
  let server: ProviderServer;
  /** What the jobs service has stored, and how often it was asked. */
  const stored = { key: null as string | null, calls: 0 };
  beforeAll(async () => {
    server = await startProviderServer();
  });
  afterEach(() => {
    server.reset();
    Object.assign(stored, { key: null, calls: 0 });
  });
  afterAll(async () => {
    await http.close();
    await server.close();
  });

  function open({ url = `${server.url}/v1` as string | null, deadlineMs = 10_000 } = {}) {
    const rpc = {
      call: () => {
        stored.calls++;
        const sealed = stored.key === null ? null : sealer.seal(stored.key, providerKeyContext(TENANT, 'embedding'));
        return Promise.resolve({ sealed: sealed?.toString('base64') ?? null });
      },
    };
    const keys = new OrganizationKeys(rpc as never, sealer);
    const managed = url === null ? [] : [{ url, key: 'sk-managed' }];
    const limits = { concurrency: 4, requestsPerMinute: null, patienceMs: 1_000 };
    const servers = new ModelServers({ provider: 'embedding', managed, ownUrl: url, ...limits });
    const engines = new EmbeddingEngines({
      servers,
      http,
      models: ['small'],
      dimensions: undefined,
      deadlineMs: 60_000,
      fallback: {},
    });
    const config = { KILN_EMBEDDING_URL: url === null ? [] : [url] } as Partial<EmbeddingConfig> as EmbeddingConfig;
    return Object.assign(new QueryEmbedder(engines, keys, config), { deadlineMs });
  }
  const keysSeen = () => server.requests.map(({ headers }) => headers.authorization);

  it('is embedded once, and again only for another model', async () => {
    stored.key = 'sk-of-the-organization';
    const embedder = open();
    const first = await embedder.embed('hot clay', 'small', live);
    expect([...first]).toStrictEqual([...Float32Array.from(embeddingOf('hot clay'))]);
    expect(await embedder.embed('hot clay', 'small', live)).toBe(first);
    await embedder.embed('hot clay', 'large', live);
    expect(server.requests.map(({ json }) => json['model'])).toStrictEqual(['small', 'large']);
  });

  it("is embedded with the organization's own key, which the jobs service sends sealed", async () => {
    stored.key = 'sk-of-the-organization';
    await open().embed('hot clay', 'any-model-of-theirs', live);
    expect(keysSeen()).toStrictEqual(['Bearer sk-of-the-organization']);
  });

  it('is embedded with the managed key otherwise; the absence of a key is cached', async () => {
    const embedder = open();
    await embedder.embed('hot clay', 'small', live);
    await embedder.embed('cold clay', 'small', live);
    expect([keysSeen(), stored.calls]).toStrictEqual([['Bearer sk-managed', 'Bearer sk-managed'], 1]);
  });

  it('is never embedded in test mode, or without a server', async () => {
    expect(await open().isAvailable(live)).toBe(true);
    expect(await open().isAvailable({ ...live, mode: 'test' })).toBe(false);
    expect(await open({ url: null }).isAvailable(live)).toBe(false);
    await expect(open().embed('hot clay', 'small', { ...live, mode: 'test' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    expect(server.requests).toHaveLength(0);
  });

  it('fails with UNAVAILABLE when the provider fails or does not answer in time, and is asked again', async () => {
    server.always(misbehaviour.hang);
    const slow = open({ deadlineMs: 50 });
    await expect(slow.embed('hot clay', 'small', live)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const embedder = open();
    server.always(misbehaviour.status(500));
    await expect(embedder.embed('hot clay', 'small', live)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    server.always(null);
    expect(await embedder.embed('hot clay', 'small', live)).toHaveLength(8);
  });

  it('fails with BAD_REQUEST when the own key is refused, or the model is not offered', async () => {
    await expect(open().embed('hot clay', 'retired', live)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('"retired"') as unknown,
    });
    stored.key = 'sk-of-the-organization';
    server.next(misbehaviour.status(401));
    await expect(open().embed('hot clay', 'small', live)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('provider key embedding') as unknown,
    });
  });
});
