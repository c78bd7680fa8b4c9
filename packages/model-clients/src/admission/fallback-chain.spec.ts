// Real: HTTP on loopback. The clock of circuits is set by hand.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { embeddingOf, misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import type { Embedder } from '../embedding/embedder.js';
import { OpenAiEmbedder } from '../embedding/openai-embedder.js';
import { ExtractionError, type ExtractionErrorCode } from '@kiln/pdf/extraction-error';
import { EngineBreaker, type BreakerOptions } from './engine-breaker.js';
import { FallbackChain, type ChainLink, type ChainOptions } from './fallback-chain.js';
import { providerEndpoint, type ProviderEndpoint } from '../http/provider-endpoint.js';
import { ProviderError, type ProviderFault } from '../http/provider-error.js';
import { ProviderHttp } from '../http/provider-http.js';

const never = new AbortController().signal;
const endpoint = providerEndpoint('embedding', { baseUrl: 'https://models.example/v1' });

describe('a chain of engines', () => {
  const servers: ProviderServer[] = [];
  const http = new ProviderHttp();
  let now = 0;
  beforeAll(async () => {
    for (let count = 0; count < 2; count++) servers.push(await startProviderServer());
  });
  afterEach(() => {
    now = 0;
    for (const server of servers) server.reset();
  });
  afterAll(async () => {
    await http.close();
    for (const server of servers) await server.close();
  });
  const server = (at: number) => {
    const found = servers[at];
    if (!found) throw new Error(`no server ${at}`);
    return found;
  };
  const asked = () => servers.map(({ requests }) => requests.length);

  function link(at: number, options: Partial<BreakerOptions> & Partial<ProviderEndpoint> = {}): ChainLink<Embedder> {
    const { keyOwner = 'operator', ...breaker } = options;
    const target = providerEndpoint('embedding', { baseUrl: `${server(at).url}/v1`, key: `key-${at}`, keyOwner });
    const limits = { concurrency: 4, patienceMs: 60_000, circuit: { failuresMax: 2, openMs: 1_000, now: () => now } };
    return {
      name: `engine-${at}`,
      engine: new OpenAiEmbedder({ endpoint: target, http, model: 'small', deadlineMs: 60_000 }),
      remote: { endpoint: target, breaker: new EngineBreaker({ ...limits, ...breaker }) },
    };
  }
  const chainOf = (links: ChainLink<Embedder>[], options?: ChainOptions) => {
    const chain = new FallbackChain(links, options);
    return (text = 'clay', signal = never) =>
      chain.run((embedder) => embedder.embed([text], signal), signal).then(({ vectors }) => vectors[0]);
  };
  const failing = (embed: () => Promise<unknown>) =>
    embed().then(
      () => {
        throw new Error('it did not fail');
      },
      (error: ProviderError) => error,
    );

  it('calls the first engine, and the next one only when the first is unavailable', async () => {
    const reported: string[] = [];
    const embed = chainOf([link(0), link(1)], { onFailure: (name, error) => reported.push(`${name} ${error.code}`) });
    expect(await embed()).toStrictEqual(embeddingOf('clay'));
    expect(asked()).toStrictEqual([1, 0]);
    for (const behaviour of [misbehaviour.status(500), misbehaviour.reset, misbehaviour.status(401)]) {
      server(0).next(behaviour);
      expect(await chainOf([link(0), link(1)])()).toStrictEqual(embeddingOf('clay'));
    }
    expect(asked()).toStrictEqual([4, 3]);
    server(0).next(misbehaviour.status(429));
    await embed();
    expect(reported).toStrictEqual(['engine-0 provider_unavailable']);
  });

  it("never falls back to the operator's engines when the organization's own key was refused", async () => {
    server(0).next(misbehaviour.status(403));
    const error = await failing(chainOf([link(0, { keyOwner: 'organization' }), link(1)]));
    expect(error.code).toBe('provider_unauthorized');
    expect(asked()).toStrictEqual([1, 0]);
  });

  it('does not call an engine after several consecutive failures, until a single probe has succeeded', async () => {
    const embed = chainOf([link(0), link(1)]);
    server(0).always(misbehaviour.status(500));
    await embed();
    await embed();
    await embed();
    // The third did not try.
    expect(asked()).toStrictEqual([2, 3]);
    now = 1_000;
    await embed();
    // The probe failed.
    expect(asked()).toStrictEqual([3, 4]);
    now = 2_000;
    await embed();
    // The wait has doubled.
    expect(asked()).toStrictEqual([3, 5]);
    server(0).always(null);
    now = 3_000;
    await Promise.all([embed(), embed(), embed()]);
    // One probe at a time.
    expect(asked()[0]).toBe(4);
    await embed();
    expect(asked()[0]).toBe(5);
  });

  it('reports when to retry if all circuits are open, and that no request was sent', async () => {
    const embed = chainOf([link(0)]);
    server(0).always(misbehaviour.status(500));
    await failing(embed);
    await failing(embed);
    now = 400;
    const error = await failing(embed);
    expect([error.fault, error.wasAsked, error.transient]).toStrictEqual(['circuit_open', false, true]);
    expect(Math.abs((error.retryAfterSeconds ?? 0) - 0.6)).toBeLessThan(0.001);
    expect(asked()[0]).toBe(2);
  });

  it('does not trust an engine again because of a call that failed before the engine was asked', async () => {
    const one = link(0);
    server(0).always(misbehaviour.status(500));
    for (let count = 0; count < 2; count++) await failing(chainOf([one]));
    now = 1_000;
    const unread = new FallbackChain([one]).run(() => Promise.reject(new Error('the file cannot be fetched')), never);
    await expect(unread).rejects.toThrow('cannot be fetched');
    expect(one.remote?.breaker.state).toBe('half-open');
  });

  it('opens no circuit because of one document or one organization', async () => {
    const file = link(0);
    server(0).always(misbehaviour.status(404));
    for (let count = 0; count < 5; count++) await failing(chainOf([file]));
    expect(file.remote?.breaker.state).toBe('closed');
    const shared = link(0, { isShared: true, keyOwner: 'organization' });
    server(0).always(misbehaviour.status(401));
    for (let count = 0; count < 5; count++) await failing(chainOf([shared]));
    expect(shared.remote?.breaker.state).toBe('closed');
    server(0).always(misbehaviour.status(429, { 'retry-after': '3600' }));
    await failing(chainOf([shared]));
    server(0).always(null);
    // Another organization has a limit of its own.
    expect(await chainOf([shared])()).toStrictEqual(embeddingOf('clay'));
  });

  it('does not call an engine before the time that it requested, for any caller', async () => {
    const limited = link(0, { patienceMs: 0 });
    server(0).next(misbehaviour.status(429, { 'retry-after': '3600' }));
    expect((await failing(chainOf([limited]))).fault).toBe('rate_limited');
    const error = await failing(chainOf([limited]));
    expect([error.fault, error.wasAsked]).toStrictEqual(['busy', false]);
    expect(error.retryAfterSeconds ?? 0).toBeGreaterThan(3_500);
    expect(asked()[0]).toBe(1);
    expect(await chainOf([limited, link(1)])()).toStrictEqual(embeddingOf('clay'));
  });

  it('retries retryable failures, as often as configured, after the requested time', async () => {
    const embed = chainOf([link(0, { circuit: { failuresMax: 100 } })], { rounds: 3 });
    server(0).next(
      misbehaviour.status(429, { 'retry-after-ms': '3' }),
      misbehaviour.status(500, { 'retry-after-ms': '3' }),
    );
    expect(await embed()).toStrictEqual(embeddingOf('clay'));
    server(0).always(misbehaviour.status(500, { 'retry-after-ms': '1' }));
    expect((await failing(embed)).fault).toBe('server_error');
    expect(asked()[0]).toBe(6);
    server(0).always(misbehaviour.status(503, { 'retry-after': '3600' }));
    // The chain does not wait for an hour.
    expect((await failing(embed)).retryAfterSeconds).toBe(3_600);
    expect(asked()[0]).toBe(7);
  });

  it('runs no more concurrent requests than allowed, and serves waiting requests in order', async () => {
    const order: string[] = [];
    let underWay = 0;
    let most = 0;
    server(0).always((response, request) => {
      order.push(String((request.json['input'] as string[])[0]));
      most = Math.max(most, ++underWay);
      setImmediate(() => {
        underWay--;
        void misbehaviour.json({ data: [{ index: 0, embedding: [1] }] })(response, request);
      });
    });
    const embed = chainOf([link(0, { concurrency: 1 })]);
    const texts = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(texts.map((text) => embed(text)));
    expect([order, most]).toStrictEqual([texts, 1]);
  });

  it('stops waiting for a slot after a time limit, and a request that stopped waiting takes no slot', async () => {
    let answer = () => {};
    server(0).next((response, request) => {
      answer = () => void misbehaviour.json({ data: [{ index: 0, embedding: [1] }] })(response, request);
      release();
    });
    let release = () => {};
    const arrived = new Promise<void>((resolve) => (release = resolve));
    const narrow = link(0, { concurrency: 1, patienceMs: 5 });
    const first = chainOf([narrow])();
    await arrived;
    const abort = new AbortController();
    const aborted = chainOf([narrow])('x', abort.signal);
    abort.abort(new Error('lease lost'));
    await expect(aborted).rejects.toThrow(/lease lost/);
    expect((await failing(chainOf([narrow]))).fault).toBe('busy');
    answer();
    await first;
    expect(narrow.remote?.breaker.inUse).toBe(0);
    expect(await chainOf([narrow])()).toStrictEqual(embeddingOf('clay'));
  });

  it('begins no more requests in a minute than allowed', async () => {
    let clock = 0;
    const breaker = new EngineBreaker({ concurrency: 10, requestsPerMinute: 60, patienceMs: 0, now: () => clock });
    const ask = () =>
      breaker.run(endpoint, () => Promise.resolve('ok'), never).catch((error: ProviderError) => error.fault);
    expect([await ask(), await ask()]).toStrictEqual(['ok', 'busy']);
    clock = 999;
    expect(await ask()).toBe('busy');
    clock = 1_000;
    expect([await ask(), await ask()]).toStrictEqual(['ok', 'busy']);
  });

  it('of several failures, reports the most informative one', async () => {
    const provider = (fault: ProviderFault, retryAfterSeconds?: number) => () =>
      new ProviderError(fault, endpoint, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
    const file = (code: ExtractionErrorCode) => () => new ExtractionError(code, 'The file.');
    const cases: [(() => Error)[], string][] = [
      [[provider('server_error'), file('unsupported_type')], 'provider_unavailable'],
      [[provider('unauthorized'), file('unsupported_type')], 'provider_unavailable'],
      [[provider('server_error'), file('corrupt_file')], 'corrupt_file'],
      [[file('corrupt_file'), file('unsupported_type')], 'corrupt_file'],
      [[file('file_too_large'), file('unsupported_type')], 'file_too_large'],
      [[provider('timeout'), provider('circuit_open')], 'timeout'],
      [[provider('refused'), provider('timeout')], 'timeout'],
    ];
    for (const [failures, code] of cases) {
      const links = failures.map((failure, at) => ({ name: `${at}`, engine: failure, remote: null }));
      const error = await failing(() => new FallbackChain(links).run((engine) => Promise.reject(engine()), never));
      expect(error.code).toBe(code);
    }
    const patient = [provider('rate_limited', 60), provider('server_error', 5)];
    const links = patient.map((failure, at) => ({ name: `${at}`, engine: failure, remote: null }));
    const soonest = await failing(() => new FallbackChain(links).run((engine) => Promise.reject(engine()), never));
    expect(soonest.retryAfterSeconds).toBe(5);
  });

  it('rethrows errors that are not failures of an engine, without trying another engine', async () => {
    let calls = 0;
    const links = [1, 2].map((at) => ({ name: `${at}`, engine: at, remote: null }));
    const work = () => {
      calls++;
      return Promise.reject(new TypeError('a bug'));
    };
    await expect(new FallbackChain(links).run(work, never)).rejects.toThrow(/a bug/);
    expect(calls).toBe(1);
  });
});
