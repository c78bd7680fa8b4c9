// Real: HTTP over a socket. FAKED: the clock.
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { arrivingBody } from './arriving-body.http.js';

let server: Server;
let caller: Socket;
let response: ServerResponse;
let body: Promise<string>;

beforeEach(async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  caller.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel');
  const [request, answer] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  response = answer;
  body = text(arrivingBody(request, { heldBytes: () => 0 }));
  body.catch(() => undefined);
});
afterEach(() => {
  jest.useRealTimers();
  caller.destroy();
  server.close();
});

it('a body gives its bytes', async () => {
  caller.write('lo');
  expect(await body).toBe('hello');
});

it('a body that arrives slowly fails, and its caller gets a response', async () => {
  jest.advanceTimersByTime(20_000);
  await expect(body).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  response.writeHead(400).end();
  const [answer] = (await once(caller, 'data')) as [Buffer];
  expect(String(answer)).toMatch(/^HTTP\/1.1 400 /);
});

it('a body that is cut off fails', async () => {
  caller.destroy();
  await expect(body).rejects.toMatchObject({ message: 'The body was cut off before its end.' });
});
