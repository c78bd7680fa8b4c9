// Real: HTTP over a socket, the multipart parser. FAKED: the clock, and the store.
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { stateOf } from '../http/request-state.http.js';
import { UploadMemory } from '../limits/upload-memory.service.js';
import { readMultipart } from './multipart.http.js';

const MIB = 1024 * 1024;
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

async function begin(length: number): Promise<IncomingMessage> {
  const type = 'Content-Type: multipart/form-data; boundary=b';
  caller.write(`POST / HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: ${length}\r\n\r\n`);
  return ((await once(server, 'request')) as [IncomingMessage])[0];
}

it('a body that has arrived is not refused as slow while the store takes its time', async () => {
  const request = await begin(BODY.length);
  caller.write(BODY);
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

it.each([
  ['holds memory for parts of a large file', 5_000 * MIB, '65536'],
  ['holds little', 100_000, '1024'],
])('a body that %s must arrive at a rate that fits', async (_what, length, rate) => {
  const request = await begin(length);
  const hold = new UploadMemory(64 * MIB, { putMemoryBytes: () => 16 * MIB }).hold('a', request);
  stateOf(request).memory = hold;
  const result = readMultipart(request, ({ stream }) => text(stream));
  result.catch(() => undefined);
  jest.advanceTimersByTime(WINDOW_MS);
  await expect(result).rejects.toThrow(`less than ${rate} bytes a second`);
  hold.release();
});
