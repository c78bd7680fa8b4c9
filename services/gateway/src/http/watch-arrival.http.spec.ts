// Real: HTTP over a socket. FAKED: the clock.
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { bytesPerSecondMin, watchArrival } from './watch-arrival.http.js';

const WINDOW_MS = 20_000;
const ENOUGH_BYTES = 20 * 1_024;

let server: Server;
let caller: Socket;
let body: IncomingMessage;
let slow: string[];
let received: number;

beforeEach(async () => {
  jest.useFakeTimers({
    now: 0,
    doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'queueMicrotask', 'performance'],
  });
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  caller.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n');
  [body] = (await once(server, 'request')) as [IncomingMessage];
  [slow, received] = [[], 0];
  watchArrival(body, ({ code, message }) => slow.push(`${code} ${message}`));
  body.on('data', (piece: Buffer) => (received += piece.length));
});
afterEach(() => {
  jest.useRealTimers();
  caller.destroy();
  server.close();
});

async function arrive(bytes: number): Promise<void> {
  const all = received + bytes;
  caller.write(Buffer.alloc(bytes));
  await eventually(() => received === all);
}

it('a body that drips is ended after 20 s, however often its bytes come', async () => {
  for (let second = 0; second < 19; second++) {
    await arrive(1);
    jest.advanceTimersByTime(1_000);
  }
  expect(slow).toStrictEqual([]);
  jest.advanceTimersByTime(1_000);
  expect(slow).toStrictEqual([expect.stringMatching(/^BAD_REQUEST The body arrived at less than 1024 bytes a second/)]);
});

it('a body that arrives at 1 KiB a second may take as long as it likes, and is ended when it stops', async () => {
  for (let window = 0; window < 10; window++) {
    await arrive(ENOUGH_BYTES);
    jest.advanceTimersByTime(WINDOW_MS);
  }
  expect(slow).toStrictEqual([]);
  jest.advanceTimersByTime(WINDOW_MS);
  expect(slow).toHaveLength(1);
});

it('a caller is not blamed for the time in which the gateway did not read', async () => {
  jest.advanceTimersByTime(WINDOW_MS - 1_000);
  body.pause();
  jest.advanceTimersByTime(3 * WINDOW_MS);
  expect(slow).toStrictEqual([]);
  body.resume();
  jest.advanceTimersByTime(1_000);
  expect(slow).toHaveLength(1);
});

it('a body that was read with pauses may not be slow beside them', async () => {
  for (let second = 0; second < 20; second++) {
    body.pause().resume();
    jest.advanceTimersByTime(1_000);
  }
  expect(slow).toHaveLength(1);
});

it('a body must arrive faster the more memory it holds, up to 64 KiB a second', () => {
  const rates = [0, 1, 4, 16, 1_000].map((mebibytes) => bytesPerSecondMin(mebibytes * 1_048_576) / 1_024);
  expect(rates).toStrictEqual([1, 4, 16, 64, 64]);
});
