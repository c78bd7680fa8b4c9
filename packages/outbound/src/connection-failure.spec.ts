// Real: sockets on loopback. Faked: errors whose cause cannot be produced on loopback.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { connectionFailureOf, type ConnectionFailureKind } from './connection-failure.js';
import { OutboundRefusedError } from './outbound-policy.js';
import { OutboundProxyError } from './proxy-tunnel.js';

const coded = (code: string) => Object.assign(new Error(`connect ${code} 10.1.2.3:443`), { code });
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => {
      throw new Error('it should have failed');
    },
    (error: unknown) => error,
  );

describe('a failed connection', () => {
  let server: Server;
  let behave: (socket: Socket) => void = () => {};
  const agent = new Agent({ connectTimeout: 60_000 });
  const sockets = new Set<Socket>();
  beforeAll(async () => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => behave(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  });
  afterAll(async () => {
    await agent.destroy();
    server.close();
  });
  const fetchFrom = async (scheme: string, options = {}) => {
    const { port } = server.address() as AddressInfo;
    const { body } = await request(`${scheme}://127.0.0.1:${port}/`, { dispatcher: agent, ...options });
    await body.text();
  };

  it.each<[string, ConnectionFailureKind, string, (socket: Socket) => void]>([
    ['that is reset', 'closed', 'http', (socket) => socket.resetAndDestroy()],
    ['that ends before the answer', 'closed', 'http', (socket) => socket.end()],
    [
      'that ends within the answer',
      'closed',
      'http',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
    ],
    ['with bytes that are not HTTP', 'invalid_answer', 'http', (socket) => socket.end('220 mail.example ready\r\n')],
    ['with plain text in place of TLS', 'tls', 'https', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')],
  ])('%s is %s', async (_title, kind, scheme, behaviour) => {
    behave = behaviour;
    expect(connectionFailureOf(await errorOf(fetchFrom(scheme)))?.kind).toBe(kind);
  });

  it('whose answer does not begin or continue in time is answer_timeout', async () => {
    behave = () => undefined;
    const silent = await errorOf(fetchFrom('http', { headersTimeout: 1 }));
    const aborted = await errorOf(fetchFrom('http', { signal: AbortSignal.timeout(5) }));
    for (const error of [silent, aborted]) expect(connectionFailureOf(error)?.kind).toBe('answer_timeout');
  });

  it('to a port where nobody listens is refused', async () => {
    const error = await errorOf(request('http://127.0.0.1:9/', { dispatcher: agent }));
    expect(connectionFailureOf(error)).toStrictEqual({
      kind: 'refused',
      message: 'The endpoint refused the connection.',
      retryable: true,
    });
  });

  it.each<[string, ConnectionFailureKind, boolean]>([
    ['ENOTFOUND', 'name_not_found', true],
    ['EHOSTUNREACH', 'unreachable', true],
    ['UND_ERR_CONNECT_TIMEOUT', 'connect_timeout', true],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate', false],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate', false],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', true],
    ['HPE_HEADER_OVERFLOW', 'invalid_answer', false],
  ])('with code %s is %s, and its sentence contains no address', (code, kind, retryable) => {
    const failure = connectionFailureOf(coded(code));
    expect(failure).toMatchObject({ kind, retryable });
    expect(failure?.message).toMatch(/^The .*\.$/);
    expect(failure?.message).not.toContain('10.1.2.3');
  });

  it('is found among the causes, and as the first error of several addresses', () => {
    const inner = new Error('fetch failed', { cause: new Error('request failed', { cause: coded('ECONNREFUSED') }) });
    const several = new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')], 'all failed');
    for (const error of [inner, several]) expect(connectionFailureOf(error)?.kind).toBe('refused');
  });

  it('that Kiln refused or its proxy did not make is reported as that, whatever error surrounds it', () => {
    const reset = (cause: Error) => Object.assign(new Error('socket hang up', { cause }), { code: 'ECONNRESET' });
    expect(connectionFailureOf(reset(new OutboundRefusedError('leads to a private address')))).toStrictEqual({
      kind: 'not_allowed',
      message: 'The endpoint is not allowed: it leads to a private address.',
      retryable: false,
    });
    const message = 'The egress proxy could not be reached.';
    expect(connectionFailureOf(reset(new OutboundProxyError(message, coded('ECONNREFUSED'))))).toStrictEqual({
      kind: 'proxy',
      message,
      retryable: true,
    });
  });
});

it('an error of another kind is no failed connection', () => {
  for (const error of [new TypeError('a bug'), coded('ENOENT'), coded('constructor'), { code: 'ECONNREFUSED' }, null]) {
    expect(connectionFailureOf(error)).toBeNull();
  }
});
