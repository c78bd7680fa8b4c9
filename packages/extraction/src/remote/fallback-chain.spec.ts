// Real: HTTP on loopback. The clock of circuits is set by hand.
import { embeddingOf, misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Embedder } from '../embedding/embedder.js';
import { OpenAiEmbedder } from '../embedding/openai-embedder.js';
import { ExtractionError, type ExtractionErrorCode } from '../extraction-error.js';
import { EngineGuard, type GuardOptions } from './engine-guard.js';
import { FallbackChain, type ChainLink, type ChainOptions } from './fallback-chain.js';
import { providerEndpoint, type ProviderEndpoint } from './provider-endpoint.js';
import { ProviderError, type ProviderFault } from './provider-error.js';
import { ProviderHttp } from './provider-http.js';

const never = new AbortController().signal;
const endpoint = providerEndpoint('embedding', { baseUrl: 'https://models.example/v1' });

describe('a chain of engines', () => {
  const servers: ProviderServer[] = [];
  const http = new ProviderHttp();
  let now = 0;
  before(async () => {
    for (let count = 0; count < 2; count++) servers.push(await startProviderServer());
  });
  afterEach(() => {
    now = 0;
    for (const server of servers) server.reset();
  });
  after(async () => {
    await http.close();
    for (const server of servers) await server.close();
  });
  const server = (at: number) => servers[at] ?? assert.fail();
  const asked = () => servers.map(({ requests }) => requests.length);

  function link(at: number, options: Partial<GuardOptions> & Partial<ProviderEndpoint> = {}): ChainLink<Embedder> {
    const { keyOwner = 'operator', ...guard } = options;
    const target = providerEndpoint('embedding', { baseUrl: `${server(at).url}/v1`, key: `key-${at}`, keyOwner });
    const limits = { concurrency: 4, patienceMs: 60_000, circuit: { failuresMax: 2, openMs: 1_000, now: () => now } };
    return {
      name: `engine-${at}`,
      engine: new OpenAiEmbedder({ endpoint: target, http, model: 'small', deadlineMs: 60_000 }),
      remote: { endpoint: target, guard: new EngineGuard({ ...limits, ...guard }) },
    };
  }
  const chainOf = (links: ChainLink<Embedder>[], options?: ChainOptions) => {
    const chain = new FallbackChain(links, options);
    return (text = 'clay', signal = never) =>
      chain.run((embedder) => embedder.embed([text], signal), signal).then(({ vectors }) => vectors[0]);
  };
  const failing = (embed: () => Promise<unknown>) =>
    embed().then(
      () => assert.fail('it did not fail'),
      (error: ProviderError) => error,
    );

  it('asks the first one, and the next only when that one is away', async () => {
    const told: string[] = [];
    const embed = chainOf([link(0), link(1)], { onFailure: (name, error) => told.push(`${name} ${error.code}`) });
    assert.deepEqual(await embed(), embeddingOf('clay'));
    assert.deepEqual(asked(), [1, 0]);
    for (const behaviour of [misbehaviour.status(500), misbehaviour.reset, misbehaviour.status(401)]) {
      server(0).next(behaviour);
      assert.deepEqual(await chainOf([link(0), link(1)])(), embeddingOf('clay'));
    }
    assert.deepEqual(asked(), [4, 3]);
    server(0).next(misbehaviour.status(429));
    await embed();
    assert.deepEqual(told, ['engine-0 provider_unavailable']);
  });

  it("never goes on to the operator's engines with what the organization's own key was refused for", async () => {
    server(0).next(misbehaviour.status(403));
    const error = await failing(chainOf([link(0, { keyOwner: 'organization' }), link(1)]));
    assert.equal(error.code, 'provider_unauthorized');
    assert.deepEqual(asked(), [1, 0]);
  });

  it('leaves an engine alone that has failed several times in a row, until a single probe has found it well', async () => {
    const embed = chainOf([link(0), link(1)]);
    server(0).always(misbehaviour.status(500));
    await embed();
    await embed();
    await embed();
    assert.deepEqual(asked(), [2, 3], 'the third did not try');
    now = 1_000;
    await embed();
    assert.deepEqual(asked(), [3, 4], 'the probe failed');
    now = 2_000;
    await embed();
    assert.deepEqual(asked(), [3, 5], 'the wait has doubled');
    server(0).always(null);
    now = 3_000;
    await Promise.all([embed(), embed(), embed()]);
    assert.equal(asked()[0], 4, 'one probe at a time');
    await embed();
    assert.equal(asked()[0], 5);
  });

  it('says when to come again where all circuits are open, and that nobody was asked', async () => {
    const embed = chainOf([link(0)]);
    server(0).always(misbehaviour.status(500));
    await failing(embed);
    await failing(embed);
    now = 400;
    const error = await failing(embed);
    assert.deepEqual([error.fault, error.wasAsked, error.transient], ['circuit_open', false, true]);
    assert.ok(Math.abs((error.retryAfterSeconds ?? 0) - 0.6) < 0.001);
    assert.equal(asked()[0], 2);
  });

  it('opens no circuit for what one document or one organization has brought about', async () => {
    const file = link(0);
    server(0).always(misbehaviour.status(404));
    for (let count = 0; count < 5; count++) await failing(chainOf([file]));
    assert.equal(file.remote?.guard.state, 'closed');
    const shared = link(0, { isShared: true, keyOwner: 'organization' });
    server(0).always(misbehaviour.status(401));
    for (let count = 0; count < 5; count++) await failing(chainOf([shared]));
    assert.equal(shared.remote?.guard.state, 'closed');
    server(0).always(misbehaviour.status(429, { 'retry-after': '3600' }));
    await failing(chainOf([shared]));
    server(0).always(null);
    assert.deepEqual(await chainOf([shared])(), embeddingOf('clay'), 'another organization has a limit of its own');
  });

  it('asks an engine that wants to be left alone not before it said, whoever comes', async () => {
    const limited = link(0, { patienceMs: 0 });
    server(0).next(misbehaviour.status(429, { 'retry-after': '3600' }));
    assert.equal((await failing(chainOf([limited]))).fault, 'rate_limited');
    const error = await failing(chainOf([limited]));
    assert.deepEqual([error.fault, error.wasAsked], ['busy', false]);
    assert.ok((error.retryAfterSeconds ?? 0) > 3_500);
    assert.equal(asked()[0], 1);
    assert.deepEqual(await chainOf([limited, link(1)])(), embeddingOf('clay'));
  });

  it('tries again what is worth it, as often as it is told to, after the time that was asked for', async () => {
    const embed = chainOf([link(0, { circuit: { failuresMax: 100 } })], { rounds: 3 });
    server(0).next(
      misbehaviour.status(429, { 'retry-after-ms': '3' }),
      misbehaviour.status(500, { 'retry-after-ms': '3' }),
    );
    assert.deepEqual(await embed(), embeddingOf('clay'));
    server(0).always(misbehaviour.status(500, { 'retry-after-ms': '1' }));
    assert.equal((await failing(embed)).fault, 'server_error');
    assert.equal(asked()[0], 6);
    server(0).always(misbehaviour.status(503, { 'retry-after': '3600' }));
    assert.equal((await failing(embed)).retryAfterSeconds, 3_600, 'nobody waits for an hour');
    assert.equal(asked()[0], 7);
  });

  it('has no more requests under way than allowed, and serves those who wait in their turn', async () => {
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
    assert.deepEqual([order, most], [texts, 1]);
  });

  it('gives up waiting for room after a while, and whoever gives up takes nobody’s place', async () => {
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
    await assert.rejects(aborted, /lease lost/);
    assert.equal((await failing(chainOf([narrow]))).fault, 'busy');
    answer();
    await first;
    assert.equal(narrow.remote?.guard.inUse, 0);
    assert.deepEqual(await chainOf([narrow])(), embeddingOf('clay'));
  });

  it('begins no more requests in a minute than allowed', async () => {
    let clock = 0;
    const guard = new EngineGuard({ concurrency: 10, requestsPerMinute: 60, patienceMs: 0, now: () => clock });
    const ask = () =>
      guard.run(endpoint, () => Promise.resolve('ok'), never).catch((error: ProviderError) => error.fault);
    assert.deepEqual([await ask(), await ask()], ['ok', 'busy']);
    clock = 999;
    assert.equal(await ask(), 'busy');
    clock = 1_000;
    assert.deepEqual([await ask(), await ask()], ['ok', 'busy']);
  });

  it('of several failures tells the one that says most about what to do', async () => {
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
      assert.equal(error.code, code);
    }
    const patient = [provider('rate_limited', 60), provider('server_error', 5)];
    const links = patient.map((failure, at) => ({ name: `${at}`, engine: failure, remote: null }));
    const soonest = await failing(() => new FallbackChain(links).run((engine) => Promise.reject(engine()), never));
    assert.equal(soonest.retryAfterSeconds, 5);
  });

  it('lets through what is no failure of an engine: a bug is not tried elsewhere', async () => {
    let calls = 0;
    const links = [1, 2].map((at) => ({ name: `${at}`, engine: at, remote: null }));
    const work = () => {
      calls++;
      return Promise.reject(new TypeError('a bug'));
    };
    await assert.rejects(new FallbackChain(links).run(work, never), /a bug/);
    assert.equal(calls, 1);
  });
});
