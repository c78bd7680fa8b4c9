// Real: HTTP over a socket, the multipart parser. FAKED: the clock, and a store that takes nothing until it is told to.
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { readMultipart } from './multipart.js';

const WINDOW_MS = 20_000;
const CONTENT = 'x'.repeat(10_000);
const BODY = `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${CONTENT}\r\n--b--\r\n`;

let server: Server;
let caller: Socket;

beforeEach(async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'queueMicrotask', 'performance'] });
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
});
afterEach(() => {
  jest.useRealTimers();
  caller.destroy();
  server.close();
});

it('a body that has arrived is not refused as slow while the store takes its time', async () => {
  const type = 'Content-Type: multipart/form-data; boundary=b';
  caller.write(`POST / HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`);
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  const arrived = once(request, 'end');
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const result = readMultipart(request, async ({ stream }) => {
    await held;
    let sizeBytes = 0;
    for await (const piece of stream) sizeBytes += (piece as Buffer).length;
    return sizeBytes;
  });
  result.catch(() => undefined);
  await arrived;
  jest.advanceTimersByTime(3 * WINDOW_MS);
  release();
  expect((await result).stored).toBe(CONTENT.length);
});
