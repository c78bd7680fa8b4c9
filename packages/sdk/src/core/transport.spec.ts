import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { inspect } from 'node:util';
import { Kiln } from '../kiln.js';
import { breakOff, hangUp, json, problem, stall, startTestServer, type TestServer } from '../fixtures/test-server.js';
import { KilnApiError, KilnConnectionError, KilnTimeoutError, NotFoundError, RateLimitedError } from './errors.js';

/** Lets a server ask for a retry at once, so that no test waits for a pause. */
const NOW = { 'retry-after': '0' };

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => Promise.reject(new Error(`it succeeded: ${JSON.stringify(value)}`)),
    (error: unknown) => error,
  );

describe('a request', () => {
  it('sends method, path, query, body and credentials', async () => {
    await server.kiln().files.list({ space: 'a b', limit: 2, metadata: { 'metadata.year': '2020' } });
    await server.kiln().webhooks.update('wh_1/2', { url: 'https://example.com' });
    const [list, update] = server.received;
    expect(list).toMatchObject({ method: 'GET', path: '/v1/files?space=a+b&limit=2&metadata.year=2020', body: '' });
    expect(list?.headers).toMatchObject({ authorization: 'ApiKey kiln_test_secret', accept: 'application/json' });
    expect(update).toMatchObject({
      method: 'PATCH',
      path: '/v1/webhooks/wh_1%2F2',
      body: '{"url":"https://example.com"}',
    });
  });

  it.each(['', '.', '..'])('with the id %j, which would lead to another path, is not sent', async (id) => {
    await expect((async () => server.kiln().files.get(id))()).rejects.toThrow('id must not be empty');
    expect(server.received).toStrictEqual([]);
  });

  it('returns fields that this version does not know', async () => {
    server.script(json(200, { id: 'file_1', from_later: true }));
    expect(await server.kiln().files.get('file_1')).toStrictEqual({ id: 'file_1', from_later: true });
  });

  it('follows no redirect, so that its credentials reach no other server', async () => {
    server.script((response) => void response.writeHead(302, { location: `${server.url}/elsewhere` }).end());
    expect(await failureOf(server.kiln().files.get('file_1'))).toMatchObject({ status: 302, retryable: false });
    expect(server.received).toHaveLength(1);
  });

  it('that can take minutes has a longer timeout, unless the client has its own', async () => {
    server.script(json(200, {}));
    const delays: (number | undefined)[] = [];
    const original = globalThis.setTimeout;
    const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((...args: Parameters<typeof setTimeout>) => {
      delays.push(args[1]);
      return original(...args);
    }) as typeof setTimeout);
    await server.kiln().search.ask({ question: 'Why?' });
    await server.kiln({ timeoutMs: 7_000 }).search.ask({ question: 'Why?' });
    await server.kiln().search.query({ query: 'clay' });
    spy.mockRestore();
    expect(delays.filter((delay) => [150_000, 7_000, 60_000].includes(delay ?? 0))).toStrictEqual([
      150_000, 7_000, 60_000,
    ]);
  });

  it('is repeated after a lost connection, a response that breaks off, and 503', async () => {
    server.script(hangUp, breakOff, problem(503, 'UNAVAILABLE', NOW), json(200, { id: 'job_1' }));
    expect(await server.kiln().jobs.get('job_1')).toStrictEqual({ id: 'job_1' });
    expect(server.received).toHaveLength(4);
  });

  it('that creates something keeps one Idempotency-Key over its attempts, and another call has another key', async () => {
    server.script(hangUp, json(200, {}));
    const kiln = server.kiln();
    await kiln.search.query({ query: 'clay' });
    await kiln.search.query({ query: 'clay' });
    await kiln.search.query({ query: 'clay' }, { idempotencyKey: 'own' });
    const [first, second, third, fourth] = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[\w-]{20,}$/);
    expect(second).toBe(first);
    expect([third === first, fourth]).toStrictEqual([false, 'own']);
  });

  it('is sent once with maxRetries 0, of the client or of the call', async () => {
    server.script(hangUp);
    await failureOf(server.kiln({ maxRetries: 0 }).jobs.get('job_1'));
    await failureOf(server.kiln().jobs.get('job_1', {}, { maxRetries: 0 }));
    expect(server.received).toHaveLength(2);
  });

  it('without an Idempotency-Key on the server is not repeated after a lost connection', async () => {
    server.script(hangUp);
    const kiln = new Kiln({ baseUrl: server.url, portalToken: 'kiln_pt_secret' });
    expect(await failureOf(kiln.portal.search({ query: 'clay' }))).toBeInstanceOf(KilnConnectionError);
    expect(server.received).toHaveLength(1);
  });

  it('ends an attempt after timeoutMs, and all attempts at the deadline', async () => {
    server.script(stall);
    const kiln = server.kiln();
    const timeout = await failureOf(kiln.jobs.get('job_1', {}, { timeoutMs: 20, maxRetries: 0 }));
    expect(timeout).toMatchObject({ name: 'KilnTimeoutError', code: 'TIMEOUT', retryable: true });
    const late = await failureOf(kiln.jobs.get('job_1', {}, { timeoutMs: 60_000, deadlineMs: 20 }));
    expect(late).toBeInstanceOf(KilnTimeoutError);
    expect(late).toMatchObject({ code: 'DEADLINE' });
  });

  it('ends at its timeout and with its signal, also while a function is asked for the token', async () => {
    const kiln = new Kiln({ baseUrl: server.url, bearer: () => new Promise(() => {}) });
    const timeout = await failureOf(kiln.jobs.get('job_1', {}, { timeoutMs: 20, maxRetries: 0 }));
    expect(timeout).toMatchObject({ code: 'TIMEOUT' });
    const controller = new AbortController();
    const asked = kiln.jobs.get('job_1', {}, { signal: controller.signal });
    const reason = new Error('the caller has left');
    controller.abort(reason);
    expect(await failureOf(asked)).toBe(reason);
  });

  it('ends with the reason of its signal, before and while it runs', async () => {
    const reason = new Error('the caller has left');
    const options = { signal: AbortSignal.abort(reason) };
    expect(await failureOf(server.kiln().jobs.get('job_1', {}, options))).toBe(reason);
    const controller = new AbortController();
    server.script(() => controller.abort(reason));
    expect(await failureOf(server.kiln().jobs.get('job_1', {}, { signal: controller.signal }))).toBe(reason);
    server.script((...args) => {
      problem(503, 'UNAVAILABLE', { 'retry-after': '50' })(...args);
      setImmediate(() => next.abort(reason));
    });
    const next = new AbortController();
    expect(await failureOf(server.kiln().jobs.get('job_1', {}, { signal: next.signal }))).toBe(reason);
  });
});

describe('an error', () => {
  it('has class, code, status and request id', async () => {
    server.script(problem(404, 'NOT_FOUND'), problem(429, 'RATE_LIMITED', { 'retry-after': '61' }));
    const missing = await failureOf(server.kiln().files.get('file_1'));
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({ status: 404, code: 'NOT_FOUND', requestId: 'request-1', retryable: false });
    const limited = await failureOf(server.kiln().files.get('file_1'));
    expect(limited).toBeInstanceOf(RateLimitedError);
    expect(limited).toMatchObject({ retryable: true, retryAfterSeconds: 61, message: 'problem RATE_LIMITED' });
  });

  it('of a proxy has its status, and what is not JSON is no success', async () => {
    const html = (status: number) =>
      ((response) => void response.writeHead(status, { 'x-request-id': 'r' }).end('<html>')) as ReturnType<typeof json>;
    server.script(html(418), html(200));
    const refused = await failureOf(server.kiln().files.get('file_1'));
    expect(refused).toBeInstanceOf(KilnApiError);
    expect(refused).toMatchObject({ status: 418, code: 'UNKNOWN', requestId: 'r' });
    expect(await failureOf(server.kiln().files.get('file_1'))).toMatchObject({
      code: 'INVALID_RESPONSE',
      requestId: 'r',
    });
  });

  it('and a printed client contain no credentials', async () => {
    const kiln = server.kiln();
    server.script(json(400, { error: 'kiln_test_secret is wrong', code: 'BAD_REQUEST', requestId: 'r' }), hangUp);
    const refused = await failureOf(kiln.portal.verifyToken('kiln_pt_secret'));
    const lost = await failureOf(kiln.portal.verifyToken('kiln_pt_secret', { maxRetries: 0 }));
    const printed =
      inspect([refused, lost, kiln], { depth: 10, showHidden: true }) + JSON.stringify([refused, lost, kiln]);
    expect(printed).not.toMatch(/secret/);
    expect(refused).toMatchObject({ message: '[redacted] is wrong' });
  });
});

describe('a client', () => {
  it.each([
    [{ baseUrl: 'kiln', apiKey: 'k' }, 'baseUrl must be an address'],
    [{ baseUrl: 'ftp://kiln', apiKey: 'k' }, 'http'],
    [{ baseUrl: 'http://kiln?x=1', apiKey: 'k' }, 'query'],
    [{ baseUrl: 'http://kiln' }, 'one of apiKey'],
    [{ baseUrl: 'http://kiln', apiKey: 'k', portalToken: 't' }, 'one of apiKey'],
    [{ baseUrl: 'http://kiln', apiKey: 'k\n' }, 'printable'],
    [{ baseUrl: 'http://kiln', apiKey: 'k', maxRetries: -1 }, 'maxRetries must be a number from 0'],
  ])('with %j is refused', (options, message) => {
    expect(() => new Kiln(options as never)).toThrow(message);
  });

  it.each([
    ['bearer', 'Bearer'],
    ['portalToken', 'PortalToken'],
  ] as const)('takes a function that returns a token as %s, and calls it for each attempt', async (option, scheme) => {
    let calls = 0;
    const next = async () => `token-${(calls += 1)}`;
    const credentials = option === 'bearer' ? { bearer: next } : { portalToken: next };
    const kiln = new Kiln({ baseUrl: `${server.url}/`, ...credentials });
    server.script(problem(503, 'UNAVAILABLE', NOW), json(200, {}));
    await kiln.organization.getMe();
    expect(server.received.map(({ headers }) => headers.authorization)).toStrictEqual([
      `${scheme} token-1`,
      `${scheme} token-2`,
    ]);
  });
});
