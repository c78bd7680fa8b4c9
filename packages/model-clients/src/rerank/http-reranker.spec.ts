// Real: HTTP on loopback, with a server that misbehaves on request.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { providerEndpoint } from '../http/provider-endpoint.js';
import { ProviderHttp } from '../http/provider-http.js';
import { HttpReranker } from './http-reranker.js';

const never = new AbortController().signal;

describe('a reranker', () => {
  let server: ProviderServer;
  const http = new ProviderHttp();
  beforeAll(async () => {
    server = await startProviderServer();
  });
  afterEach(() => server.reset());
  afterAll(async () => {
    await http.close();
    await server.close();
  });
  const reranker = () =>
    new HttpReranker({
      endpoint: providerEndpoint('rerank', { baseUrl: `${server.url}/v1`, key: 'secret' }),
      http,
      model: 'cross',
      deadlineMs: 60_000,
    });
  const results = [
    { index: 1, relevance_score: 0.9 },
    { index: 0, relevance_score: 0.2 },
  ];

  it('returns scores in the order of the documents, whatever the order of the response', async () => {
    server.always(misbehaviour.json({ results }));
    expect(await reranker().rerank('glaze', ['clay', 'glaze'], never)).toStrictEqual([0.2, 0.9]);
    const [asked] = server.requests;
    expect(asked?.headers.authorization).toBe('Bearer secret');
    expect(asked?.json).toMatchObject({ model: 'cross', query: 'glaze', documents: ['clay', 'glaze'], top_n: 2 });
  });

  it('asks a server that does not take documents for texts, and from then on first', async () => {
    server.always((response, request) => {
      const takesTexts = 'texts' in request.json;
      const answer = takesTexts ? misbehaviour.json([{ index: 0, score: 0.4 }]) : misbehaviour.status(422);
      return answer(response, request);
    });
    const own = reranker();
    expect(await own.rerank('q', ['a'], never)).toStrictEqual([0.4]);
    expect(await own.rerank('q', ['a'], never)).toStrictEqual([0.4]);
    expect(server.requests.map(({ json }) => 'texts' in json)).toStrictEqual([false, true, true]);
  });

  it('sends no request for no documents', async () => {
    expect(await reranker().rerank('q', [], never)).toStrictEqual([]);
    expect(server.requests).toHaveLength(0);
  });

  it.each([
    ['too few scores', { results: results.slice(1) }],
    ['an index twice', { results: [results[0], results[0]] }],
    ['an index that is none', { results: [results[0], { index: 'length', relevance_score: 1 }] }],
    ['a score that is no number', { results: [results[0], { index: 0, relevance_score: 'high' }] }],
    ['no list', { scores: [1, 2] }],
  ])('refuses an answer with %s', async (_name, answer) => {
    server.always(misbehaviour.json(answer));
    await expect(reranker().rerank('q', ['a', 'b'], never)).rejects.toMatchObject({ fault: 'malformed' });
  });

  it('reports a server that fails', async () => {
    server.always(misbehaviour.status(503));
    await expect(reranker().rerank('q', ['a'], never)).rejects.toMatchObject({ statusCode: 503 });
  });
});
