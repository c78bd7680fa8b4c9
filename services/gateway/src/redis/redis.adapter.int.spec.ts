// Real: Redis, behind a proxy of TCP connections that can fall silent.
import { expect, it } from '@jest/globals';
import { createLogger } from '@kiln/platform';
import { eventually, testNamespace, testRedis } from '@kiln/testing';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { TokenBucket } from '../limits/token-bucket.adapter.js';
import { connectRedis } from './redis.adapter.js';

const logger = createLogger({ service: 'test', role: 'all', level: 'silent' });

/** `silence` keeps the connections open and passes nothing on, as when the host of the server is gone. New connections work. */
async function startProxy(url: string) {
  const address = new URL(url);
  const { hostname, port } = address;
  const sockets: Socket[] = [];
  const server = createServer((inbound) => {
    const outbound = connect(Number(port), hostname);
    sockets.push(
      inbound.on('error', () => undefined),
      outbound.on('error', () => undefined),
    );
    inbound.pipe(outbound).pipe(inbound);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: address.href,
    silence: () => sockets.forEach((socket) => socket.unpipe().resume()),
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

it('a connection that has fallen silent is replaced, so that rate limits apply again', async () => {
  const proxy = await startProxy(await testRedis());
  const redis = connectRedis(proxy.url, logger, 100);
  try {
    const bucket = new TokenBucket(redis, testNamespace(), { add: () => undefined }, 1_000);
    const take = () => bucket.take('key', { perSecond: 1, burst: 100 });
    await eventually(async () => expect(await take()).not.toBeNull());
    proxy.silence();
    expect(await take()).toBeNull();
    await eventually(async () => expect(await take()).not.toBeNull());
  } finally {
    redis.destroy();
    proxy.stop();
  }
});
