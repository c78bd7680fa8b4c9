// Real: a Redis server with TLS. Faked: a server that records what it is sent, and a sentinel with TLS.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@kiln/platform';
import { eventually, selfSigned, startOwnRedis, type OwnServer } from '@kiln/testing';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRedis } from './open-redis.adapter.js';
import { connectRedis, type Redis } from './redis.adapter.js';

const authority = selfSigned('Own authority');
const stranger = selfSigned('Another authority');
const client = selfSigned('kiln', authority);
const trusted = { sslrootcert: authority.cert, sslcert: client.cert, sslkey: client.key };

describe('a Redis address of rediss://', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-tls-'));
  const clients: Redis[] = [];
  let redis: OwnServer;
  let url: string;
  beforeAll(async () => {
    redis = await startOwnRedis();
    url = await redis.useTls({ ...selfSigned('localhost', authority), clientCa: authority.cert });
  });
  afterEach(() => clients.splice(0).forEach((one) => one.destroy()));
  afterAll(async () => {
    await redis.stop();
    rmSync(folder, { recursive: true });
  });

  /** The client, and the errors of its attempts to connect. */
  function connect(address: string, certificates: Record<string, string>) {
    const parameters = new URLSearchParams();
    for (const [name, pem] of Object.entries(certificates)) {
      const path = join(folder, name);
      writeFileSync(path, pem);
      parameters.set(name, path);
    }
    const problems: string[] = [];
    const write = (line: string) => void problems.push(line);
    const logger = createLogger({ service: 'test', role: 'all', level: 'warn' }, { write });
    const connected = connectRedis(`${address}?${parameters.toString()}`, logger);
    clients.push(connected);
    return { connected, problems };
  }

  it('connects to a server whose certificate an own authority has signed, and shows its own certificate', async () => {
    const { connected } = connect(url, trusted);
    await eventually(async () => expect(await connected.ping()).toBe('PONG'));
  });

  it('refuses a server whose certificate another authority has signed', async () => {
    const { connected, problems } = connect(url, { ...trusted, sslrootcert: stranger.cert });
    await eventually(() => expect(problems.join('')).toMatch(/verif|signature|certificate/));
    expect(connected.isReady).toBe(false);
  });

  it('sends no password to a server without TLS', async () => {
    let heard = '';
    const plain = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        heard += data.toString('latin1');
        socket.end('+OK\r\n');
      });
    });
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    const { connected, problems } = connect(`rediss://:sesame@localhost:${port}`, trusted);
    await eventually(() => expect(problems.length).toBeGreaterThan(1));
    expect([connected.isReady, heard.includes('sesame')]).toStrictEqual([false, false]);
    connected.destroy();
    await new Promise((resolve) => plain.close(resolve));
  });

  it('is also that of the sentinels, to which the client shows its certificate and sends their own password', async () => {
    const { hostname, port: redisPort } = new URL(url);
    let heard = '';
    const credentials = { ...selfSigned('localhost', authority), ca: authority.cert, requestCert: true };
    const sentinel = createTlsServer(credentials, (socket) => {
      socket.setEncoding('utf8').on('error', () => undefined);
      socket.on('data', (text: string) => {
        heard += text;
        if (text.includes('AUTH')) socket.write('+OK\r\n');
        if (text.includes('SENTINEL')) socket.write(`*2\r\n$9\r\n${hostname}\r\n$5\r\n${redisPort}\r\n`);
      });
    });
    sentinel.listen(0, '127.0.0.1');
    await once(sentinel, 'listening');
    const parameters = Object.keys(trusted).map((name) => `${name}=${join(folder, name)}`);
    for (const [name, pem] of Object.entries(trusted)) writeFileSync(join(folder, name), pem);
    const { password } = new URL(url);
    const logger = createLogger({ service: 'test', role: 'all', level: 'silent' });
    const followed = openRedis(
      {
        REDIS_URL: `rediss://:${password}@redis.invalid?${parameters.join('&')}`,
        KILN_REDIS_SENTINELS: [{ host: 'localhost', port: (sentinel.address() as AddressInfo).port }],
        KILN_REDIS_SENTINEL_NAME: 'mymaster',
        KILN_REDIS_SENTINEL_PASSWORD: 'sesame',
      },
      logger,
    );
    await eventually(() => followed.isReady);
    expect(await followed.eval('return 1')).toBe(1);
    expect([heard.includes('sesame'), heard.includes(password)]).toStrictEqual([true, false]);
    followed.destroy();
    await new Promise((resolve) => sentinel.close(resolve));
  });
});
