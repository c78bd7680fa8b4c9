// Real: HTTP on loopback. FAKES: the object store, by streams.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { sendObject } from './send-object.http.js';

describe('an object of the store', () => {
  let server: Server;
  let body: Readable;
  let sizeBytes: number;
  let sendMs: number;
  let ended: number;
  beforeEach(async () => {
    [ended, sendMs] = [0, 600_000];
    server = createServer((_request, response) => {
      const headers = { 'Cache-Control': 'private' };
      const sent = sendObject(response, { body, sizeBytes, contentType: 'image/png' }, { headers, sendMs });
      void sent.finally(() => ended++);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const port = () => (server.address() as AddressInfo).port;
  const ask = () => fetch(`http://127.0.0.1:${port()}/`);
  /** More than the buffers of a connection hold. */
  const endless = () =>
    new Readable({
      read() {
        this.push(Buffer.alloc(65_536));
      },
    });

  it('is sent with its type and length', async () => {
    [body, sizeBytes] = [Readable.from([Buffer.from('ab'), Buffer.from('c')]), 3];
    const response = await ask();
    expect(await response.text()).toBe('abc');
    expect(['content-type', 'content-length', 'cache-control'].map((name) => response.headers.get(name))).toStrictEqual(
      ['image/png', '3', 'private'],
    );
  });

  it('that breaks off ends the connection before the announced length', async () => {
    sizeBytes = 10;
    body = Readable.from(
      (async function* () {
        yield Buffer.from('ab');
        throw new Error('the store is away');
      })(),
    );
    const response = await ask();
    await expect(response.text()).rejects.toThrow();
    await eventually(() => expect(ended).toBe(1));
  });

  it('is let go when its caller leaves', async () => {
    [body, sizeBytes] = [endless(), 2 ** 40];
    const socket = connect(port(), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    await eventually(() => expect([ended, body.destroyed]).toStrictEqual([1, true]));
  });

  it('is let go at the deadline when its caller does not read', async () => {
    [body, sizeBytes, sendMs] = [endless(), 2 ** 40, 50];
    const socket = connect(port(), '127.0.0.1');
    socket.on('error', () => undefined).pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually(() => expect([ended, body.destroyed]).toStrictEqual([1, true]));
    socket.destroy();
  });
});
