// Real: HTTP over a socket. Time is counted by the connection's own time-outs, not measured.
import { afterEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { RequestListener, ServerResponse } from 'node:http';
import { HttpServer } from './server.http.js';
import { RunningRequests } from './running-requests.service.js';

const SILENCE_MS = 20;
const TIMEOUTS = 3;

let server: HttpServer;
let caller: Socket;
afterEach(async () => {
  caller.destroy();
  await server.drain(100, 0);
});

/** What the caller receives until the server closes the connection. */
async function exchange(listener: RequestListener): Promise<string> {
  let received = '';
  let requests = 0;
  const listen: RequestListener = (request, response) => {
    requests++;
    listener(request, response);
  };
  server = new HttpServer(listen, new RunningRequests(), SILENCE_MS);
  const port = await server.listen(0, '127.0.0.1');
  // On a busy machine the time of a silent connection may pass before its request is read.
  for (;;) {
    caller = connect(port, '127.0.0.1');
    caller.setEncoding('utf8').on('data', (text: string) => (received += text));
    caller.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await new Promise((resolve) => caller.once('close', resolve));
    if (requests > 0) return received;
  }
}

/** Resolves after the connection was silent for several times its time-out. */
async function silence(socket: Socket): Promise<void> {
  for (let count = 0; count < TIMEOUTS; count++) {
    await once(socket, 'timeout');
    socket.setTimeout(SILENCE_MS);
  }
}

it('a connection stays open while its caller waits for the response, however long the silence is', async () => {
  const received = await exchange((request, response) => {
    void silence(request.socket).then(() => response.setHeader('Connection', 'close').end('late'));
  });
  expect(received).toMatch(/^HTTP\/1\.1 200 OK[^]*late$/);
});

it('a connection is closed when its response began and does not advance', async () => {
  const received = await exchange((_request, response) => void response.writeHead(200).write('begun'));
  expect(received).toMatch(/^HTTP\/1\.1 200 OK[^]*begun\r\n$/);
});

it('a request that runs when the server begins to stop is answered with Connection: close', async () => {
  let arrived = (_response: ServerResponse) => {};
  const arrival = new Promise<ServerResponse>((resolve) => (arrived = resolve));
  server = new HttpServer((_request, response) => arrived(response), new RunningRequests());
  caller = connect(await server.listen(0, '127.0.0.1'), '127.0.0.1');
  let received = '';
  caller.setEncoding('utf8').on('data', (text: string) => (received += text));
  const closed = once(caller, 'close');
  caller.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const response = await arrival;
  const drained = server.drain(60_000, 0);
  response.end('done');
  await closed;
  await drained;
  expect(received).toMatch(/^Connection: close\r$/m);
});
