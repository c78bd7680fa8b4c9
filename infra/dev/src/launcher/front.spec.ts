// Real: sockets on loopback. Faked: the replicas, as small servers.
import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '../processes/eventually.js';
import { freePort } from '../processes/free-port.js';
import { Front, type Replica } from './front.js';

const LONG = 'x'.repeat(4_000_000);

describe('the address of several replicas', () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  async function listening(server: Server): Promise<number> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    return (server.address() as AddressInfo).port;
  }

  /** Says its name and closes the connection. */
  async function replica(name: string): Promise<Replica & { ready: { status: number }; server: Server }> {
    const ready = { status: 200 };
    const probes = createHttpServer((_, response) => void response.writeHead(ready.status).end());
    const server = createServer((socket) => void socket.on('error', () => undefined).end(name));
    const readyUrl = `http://127.0.0.1:${await listening(probes)}/`;
    closing.push(() => probes.closeAllConnections());
    return { port: await listening(server), readyUrl, ready, server };
  }

  async function frontOf(replicas: readonly Replica[]): Promise<() => Promise<string>> {
    const port = await freePort();
    const front = await Front.listen('127.0.0.1', port, replicas);
    closing.push(() => front.close());
    return () => text(connect({ port, host: '127.0.0.1' }));
  }

  it('passes each connection to the next ready one', async () => {
    const [a, b] = [await replica('a'), await replica('b')];
    const ask = await frontOf([a, b]);
    const heard = [await ask(), await ask(), await ask(), await ask()];
    expect(heard.toSorted()).toStrictEqual(['a', 'a', 'b', 'b']);
    a.ready.status = 503;
    await eventually(async () => expect([await ask(), await ask()]).toStrictEqual(['b', 'b']));
    a.ready.status = 200;
    await eventually(async () => expect(await ask()).toBe('a'));
  });

  it('passes a connection that one refuses to another', async () => {
    const [a, b] = [await replica('a'), await replica('b')];
    const ask = await frontOf([a, b]);
    await eventually(async () => expect([await ask(), await ask()].toSorted()).toStrictEqual(['a', 'b']));
    a.server.close();
    await once(a.server, 'close');
    expect([await ask(), await ask(), await ask()]).toStrictEqual(['b', 'b', 'b']);
  });

  it('delivers all that a replica wrote before it closed', async () => {
    const ask = await frontOf([await replica(LONG)]);
    expect((await ask()).length).toBe(LONG.length);
  });
});
