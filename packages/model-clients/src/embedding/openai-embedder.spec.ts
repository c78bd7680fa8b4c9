// Real: HTTP on loopback, with a server that speaks OpenAI's embeddings and misbehaves on request.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { embeddingOf, misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { providerEndpoint } from '../http/provider-endpoint.js';
import { ProviderHttp } from '../http/provider-http.js';
import { OpenAiEmbedder, type OpenAiEmbedderOptions } from './openai-embedder.js';

const KEY = 'sk-very-secret';
const never = new AbortController().signal;

describe('an embedder', () => {
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
  const embedder = (options: Partial<OpenAiEmbedderOptions> = {}) =>
    new OpenAiEmbedder({
      endpoint: providerEndpoint('embedding', { baseUrl: `${server.url}/v1/`, key: KEY }),
      http,
      model: 'small',
      deadlineMs: 60_000,
      ...options,
    });
  const failure = (options: Partial<OpenAiEmbedderOptions> = {}, inputs = ['one', 'two']) =>
    embedder(options)
      .embed(inputs, never)
      .then(
        () => {
          throw new Error('it did not fail');
        },
        (error: Record<string, unknown>) => error,
      );

  it('returns vectors in the order of the texts, whatever the order of the response, and the token count', async () => {
    const { vectors, tokens } = await embedder().embed(['clay', 'glaze and clay', 'fire'], never);
    expect(vectors).toStrictEqual(['clay', 'glaze and clay', 'fire'].map((text) => embeddingOf(text)));
    expect(tokens).toBe(5);
    const [asked] = server.requests;
    expect(asked?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(asked?.json).toStrictEqual({
      model: 'small',
      input: ['clay', 'glaze and clay', 'fire'],
      encoding_format: 'float',
    });
  });

  it('sends no request for no texts, and no credentials without a key', async () => {
    expect(await embedder().embed([], never)).toStrictEqual({ vectors: [], tokens: 0 });
    expect(server.requests).toHaveLength(0);
    const keyless = providerEndpoint('embedding', { baseUrl: `${server.url}/v1` });
    await embedder({ endpoint: keyless }).embed(['x'], never);
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('splits a request in two when it is too large, and keeps order and token count', async () => {
    server.always((response, request) => {
      const input = request.json['input'] as string[];
      const data = input.map((text, index) => ({ index, embedding: embeddingOf(text) }));
      const answer = misbehaviour.json({ data, usage: { total_tokens: 1 } });
      return (input.length > 2 ? misbehaviour.status(413) : answer)(response, request);
    });
    const texts = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const own = embedder();
    const { vectors, tokens } = await own.embed(texts, never);
    expect(vectors).toStrictEqual(texts.map((text) => embeddingOf(text)));
    expect(tokens).toBe(4);
    const asked = server.requests.length;
    await own.embed(texts, never);
    // A batch size that was refused is not sent again.
    expect(server.requests).toHaveLength(asked + 4);
  });

  it('reports which text a model refuses, and what to do', async () => {
    server.always(misbehaviour.status(400));
    const error = await failure({}, ['x'.repeat(700), 'y']);
    expect([error['fault'], error['statusCode'], error['transient']]).toStrictEqual(['refused', 400, false]);
    expect(String(error['message'])).toMatch(
      /a text of 700 characters for the model "small"\. Choose a smaller chunk_size/,
    );
  });

  const invalid: Record<string, unknown> = {
    'one too few': { data: [{ index: 0, embedding: [1, 2] }] },
    'of two lengths': {
      data: [
        { index: 0, embedding: [1, 2] },
        { index: 1, embedding: [1] },
      ],
    },
    'with null for a number': {
      data: [
        { index: 0, embedding: [1, null] },
        { index: 1, embedding: [1, 2] },
      ],
    },
    'with text for a number': {
      data: [
        { index: 0, embedding: [1, '2'] },
        { index: 1, embedding: [1, 2] },
      ],
    },
    'empty ones': {
      data: [
        { index: 0, embedding: [] },
        { index: 1, embedding: [] },
      ],
    },
    'twice the same index': {
      data: [
        { index: 0, embedding: [1, 2] },
        { index: 0, embedding: [1, 2] },
      ],
    },
    'an index beyond the end': {
      data: [
        { index: 0, embedding: [1, 2] },
        { index: 2, embedding: [1, 2] },
      ],
    },
    'no data': { object: 'list' },
    'no object': null,
  };
  it.each(Object.entries(invalid))(
    'refuses vectors that are invalid or belong to other texts: %s',
    async (_, answer) => {
      server.next(misbehaviour.json(answer));
      const { fault, code, transient } = await failure();
      expect({ fault, code, transient }).toStrictEqual({
        fault: 'malformed',
        code: 'provider_unavailable',
        transient: true,
      });
    },
  );

  it('refuses responses that are no JSON, and vectors of another length than requested', async () => {
    for (const text of [
      '{"data":[{"index":0,"embedding":[NaN,1]}]}',
      '{"data":[{"index":0,"embedding":[1e999,1]}]}',
      '<html>',
    ]) {
      server.next(misbehaviour.text(text));
      expect((await failure({}, ['one']))['fault']).toBe('malformed');
    }
    server.next(misbehaviour.json({ data: [{ index: 0, embedding: [1, 2, 3] }] }));
    // Not the dimensions asked for.
    expect((await failure({ dimensions: 2 }, ['one']))['fault']).toBe('malformed');
  });

  it('reports the fault, whether it is retryable, and when', async () => {
    const own = providerEndpoint('embedding', { baseUrl: `${server.url}/v1`, key: KEY, keyOwner: 'organization' });
    const cases: [Parameters<ProviderServer['next']>[0], Partial<OpenAiEmbedderOptions>, object][] = [
      [
        misbehaviour.status(429, { 'retry-after': '7' }),
        {},
        { fault: 'rate_limited', code: 'provider_unavailable', transient: true, retryAfterSeconds: 7 },
      ],
      [misbehaviour.status(429, { 'retry-after-ms': '1500' }), {}, { fault: 'rate_limited', retryAfterSeconds: 1.5 }],
      [
        misbehaviour.status(429, {}, { error: { code: 'insufficient_quota' } }),
        {},
        { fault: 'exhausted', code: 'provider_unavailable', transient: false },
      ],
      [misbehaviour.status(500), {}, { fault: 'server_error', code: 'provider_unavailable', transient: true }],
      [misbehaviour.status(503, { 'retry-after': '3' }), {}, { fault: 'server_error', retryAfterSeconds: 3 }],
      [misbehaviour.reset, {}, { fault: 'unreachable', code: 'provider_unavailable', transient: true }],
      [misbehaviour.breakOff, {}, { fault: 'unreachable', transient: true }],
      [misbehaviour.hang, { deadlineMs: 50 }, { fault: 'timeout', code: 'timeout', transient: true }],
      [misbehaviour.trickle, { deadlineMs: 50 }, { fault: 'timeout', code: 'timeout', transient: true }],
      [misbehaviour.oversized(8_000_000), {}, { fault: 'oversized', transient: false }],
      [misbehaviour.status(404), {}, { fault: 'refused', code: 'provider_unavailable', transient: false }],
      [
        misbehaviour.status(302, { location: 'http://127.0.0.1:1/' }),
        {},
        { fault: 'refused', code: 'provider_unavailable', transient: false },
      ],
      [
        misbehaviour.status(401),
        {},
        { fault: 'unauthorized', code: 'provider_unavailable', transient: false, retryable: true },
      ],
      [
        misbehaviour.status(403),
        { endpoint: own },
        { fault: 'unauthorized', code: 'provider_unauthorized', transient: false, retryable: false },
      ],
      [misbehaviour.status(402), { endpoint: own }, { fault: 'exhausted', code: 'provider_unauthorized' }],
    ];
    for (const [behaviour, options, expected] of cases) {
      // A request that was given up may still arrive, and gets this answer, too.
      server.always(behaviour);
      const error = await failure(options, ['one']);
      const reported = Object.fromEntries(Object.keys(expected).map((field) => [field, error[field]]));
      expect(reported).toStrictEqual(expected);
    }
  });

  it('reports an unreachable provider without naming its address', async () => {
    const gone = await startProviderServer();
    await gone.close();
    const error = await failure({ endpoint: providerEndpoint('embedding', { baseUrl: gone.url }) });
    expect(error['fault']).toBe('unreachable');
    expect(String(error['message'])).not.toMatch(/127\.0\.0\.1/);
  });

  it('never reveals a key, even if the provider repeats it, to the owner of the file or the operator', async () => {
    server.next(misbehaviour.status(401, {}, { error: { message: `Incorrect API key provided: ${KEY}` } }));
    server.next(misbehaviour.status(404, {}, { error: { message: `no model for ${KEY}` } }));
    for (const error of [await failure({}, ['one']), await failure({}, ['one'])]) {
      const all = `${String(error['message'])} ${(error['cause'] as Error).message}`;
      expect(all).not.toMatch(/secret/);
      expect(all).toMatch(/answered 40[14]/);
    }
  });

  it('describes a refusal to the operator, without the text that the provider repeats', async () => {
    const refused = {
      type: 'string_too_long',
      loc: ['body', 'input', 0],
      msg: 'String is too long',
      input: 'Dear "Ann"',
    };
    server.next(misbehaviour.status(422, {}, { detail: [refused] }));
    server.next(misbehaviour.status(404, {}, { error: { message: 'no such model', code: 'model_not_found' } }));
    const causes = [await failure({}, ['one']), await failure({}, ['one'])].map(
      ({ cause }) => (cause as Error).message,
    );
    expect(causes).toStrictEqual([
      'answered 422: "string_too_long" "String is too long"',
      'answered 404: "no such model" "model_not_found"',
    ]);
  });

  it("reports that the organization's own key was refused, and which one", async () => {
    server.next(misbehaviour.status(401));
    const endpoint = providerEndpoint('embedding', { baseUrl: `${server.url}/v1`, key: KEY, keyOwner: 'organization' });
    expect(String((await failure({ endpoint }))['message'])).toMatch(
      /your organization's own key \(provider key embedding\)/,
    );
  });

  it('rejects with the reason of an abort, and closes the connection', async () => {
    const abort = new AbortController();
    const closed = new Promise<void>((resolve) => {
      server.next((response) => {
        response.on('close', resolve);
        abort.abort(new Error('the lease is lost'));
      });
    });
    await expect(embedder().embed(['one'], abort.signal)).rejects.toThrow(/the lease is lost/);
    await closed;
  });
});
