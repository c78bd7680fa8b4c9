import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { lingeringClose } from './lingering-close.middleware.js';

const BODY_BYTES = 2 * 1024 * 1024;

describe('a response that is sent before the body has arrived', () => {
  let server: Server;
  let caller: Socket;
  const arrivals = new EventEmitter();
  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const step = lingeringClose();
    server = createServer((request, response) => {
      request.on('data', () => arrivals.emit('piece'));
      step(request, response);
      response.writeHead(503, { 'content-length': 2 }).end('no');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  });
  afterEach(async () => {
    jest.useRealTimers();
    caller.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Sends the head of a request, and waits for the response. */
  async function announce(header: string): Promise<void> {
    caller.write(`POST / HTTP/1.1\r\nHost: a\r\n${header}Content-Length: ${BODY_BYTES}\r\n\r\n`);
    let response = '';
    caller.on('data', (piece: Buffer) => (response += piece.toString()));
    while (!response.endsWith('no')) await once(caller, 'data');
    expect(response).toMatch(/^HTTP\/1.1 503 /);
  }

  it('does not reset the connection of a caller that sends all of it and asked for `Connection: close`', async () => {
    await announce('Connection: close\r\n');
    const ended = once(caller, 'end');
    caller.write(Buffer.alloc(BODY_BYTES));
    await ended;
    expect(caller.bytesWritten).toBeGreaterThan(BODY_BYTES);
    expect(caller.writableLength).toBe(0);
  });

  it('leaves the connection open for the next request of a caller that sends all of it', async () => {
    await announce('');
    await new Promise((resolve) => caller.write(Buffer.alloc(BODY_BYTES), resolve));
    await announce('');
  });

  it.each(['', 'Connection: close\r\n'])(
    'closes the connection of a caller that stops sending (%j)',
    async (header) => {
      await announce(header);
      // The close may reach it as a reset.
      const closed = new Promise((resolve) => caller.once('error', () => undefined).once('close', resolve));
      await new Promise((resolve) => caller.write(Buffer.alloc(BODY_BYTES / 2), resolve));
      jest.advanceTimersByTime(5_000);
      await closed;
    },
  );

  it('closes the connection of a caller that sends for longer than 30 seconds', async () => {
    await announce('');
    const closed = new Promise((resolve) => caller.once('error', () => undefined).once('close', resolve));
    for (let seconds = 0; seconds < 30; seconds += 3) {
      const arrived = once(arrivals, 'piece');
      caller.write('a');
      await arrived;
      expect(caller.destroyed).toBe(false);
      jest.advanceTimersByTime(3_000);
    }
    await closed;
  });
});
