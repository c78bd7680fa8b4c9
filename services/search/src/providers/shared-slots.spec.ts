// Real: HTTP to providers on loopback, which answer one tenant only after a release.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallContext } from '@kiln/contracts';
import { ModelServers } from '@kiln/model-clients/admission/model-servers';
import { EmbeddingEngines } from '@kiln/model-clients/embedding/embedding-engines';
import { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import { HttpReranker } from '@kiln/model-clients/rerank/http-reranker';
import type { EmbeddingConfig } from '@kiln/platform';
import { eventually, misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { QueryEmbedder } from './query-embedder.service.js';
import { QueryReranker } from './query-reranker.service.js';

const DEADLINE_MS = 60_000;
const SLOTS = 4;
const contextOf = (tenantId: string): CallContext => ({
  requestId: 'test',
  tenantId,
  mode: 'live',
  principal: 'test',
  deadlineAt: Date.now() + DEADLINE_MS,
});

describe('a tenant with more parallel requests than a server has slots', () => {
  const http = new ProviderHttp();
  let server: ProviderServer;
  let release: () => void;
  beforeAll(async () => {
    server = await startProviderServer();
  });
  beforeEach(() => {
    const released = new Promise<void>((resolve) => (release = resolve));
    server.always(async (response, request) => {
      const isRerank = request.path === '/v1/rerank';
      const text = String(isRerank ? request.json['query'] : (request.json['input'] as string[])[0]);
      if (text.startsWith('many')) await released;
      const answer = isRerank
        ? { results: [{ index: 0, relevance_score: 0.5 }] }
        : { data: [{ index: 0, embedding: [1, 0] }], usage: { total_tokens: 2 } };
      return misbehaviour.json(answer)(response, request);
    });
  });
  afterEach(() => {
    release();
    server.reset();
  });
  afterAll(async () => {
    await http.close();
    await server.close();
  });

  const managed = () => [{ url: `${server.url}/v1`, key: null }];
  const limits = { ownUrl: null, concurrency: SLOTS, requestsPerMinute: null, patienceMs: DEADLINE_MS };
  function embedder(): QueryEmbedder {
    const engines = new EmbeddingEngines({
      servers: new ModelServers({ provider: 'embedding', managed: managed(), ...limits }),
      http,
      models: ['small'],
      dimensions: undefined,
      deadlineMs: DEADLINE_MS,
      fallback: {},
    });
    const config = { KILN_EMBEDDING_URL: [server.url] } as Partial<EmbeddingConfig> as EmbeddingConfig;
    const embedding = new QueryEmbedder(engines, { keyOf: () => Promise.resolve(null) }, config);
    return Object.assign(embedding, { deadlineMs: DEADLINE_MS });
  }
  function reranker(): QueryReranker {
    const servers = new ModelServers({ provider: 'rerank', managed: managed(), ...limits });
    const links = (servers.choose(null)?.servers ?? []).map(({ endpoint, breaker }) => ({
      name: 'rerank',
      engine: new HttpReranker({ endpoint, http, model: 'small', deadlineMs: DEADLINE_MS }),
      remote: { endpoint, breaker },
    }));
    return new QueryReranker(links, DEADLINE_MS, () => undefined);
  }

  async function leavesSlots(ask: (query: string, context: CallContext) => Promise<unknown>): Promise<void> {
    const many = Array.from({ length: SLOTS + 1 }, (_, at) => ask(`many ${at}`, contextOf('a')));
    await eventually(() => expect(server.requests.length).toBeGreaterThanOrEqual(SLOTS / 2));
    await ask('one', contextOf('b'));
    expect(server.requests).toHaveLength(SLOTS / 2 + 1);
    release();
    await Promise.all(many);
    expect(server.requests).toHaveLength(SLOTS + 2);
  }

  it('leaves slots for the queries that other tenants have embedded', async () => {
    const by = embedder();
    await leavesSlots((query, context) => by.embed(query, 'small', context));
  });

  it('leaves slots for the results that other tenants have reranked', async () => {
    const by = reranker();
    await leavesSlots((query, context) => by.rerank(query, ['A text.'], context));
  });
});
