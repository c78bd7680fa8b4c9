// Real: HTTP over a socket. FAKED: the clock.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@kiln/testing';
import express, { type Request } from 'express';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expectedBytesMax, parseJson, readBytes } from './json-body.http.js';

const MIB = 1024 * 1024;
const BATCH_BYTES_MAX = 16 * MIB;
const WINDOW_MS = 20_000;

describe('a JSON body', () => {
  let server: Server;
  let caller: Socket;
  let result: Promise<unknown>;
  let received: number;

  async function read(request: Request): Promise<unknown> {
    const bytesMax = expectedBytesMax(request, BATCH_BYTES_MAX);
    const bytes = readBytes(request, { bytesMax, heldBytes: bytesMax });
    request.on('data', (piece: Buffer) => (received += piece.length));
    return parseJson(await bytes);
  }

  beforeEach(async () => {
    jest.useFakeTimers({
      now: 0,
      doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'queueMicrotask', 'performance'],
    });
    received = 0;
    const app = express();
    result = new Promise((resolve, reject) => app.use((request) => void read(request).then(resolve, reject)));
    result.catch(() => undefined);
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  });
  afterEach(() => {
    jest.useRealTimers();
    caller.destroy();
    server.close();
  });

  const begin = (length: number, headers = '') =>
    caller.write(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}Content-Length: ${length}\r\n\r\n`,
    );

  it('is refused if it is not UTF-8, so that no character of a filename is replaced', async () => {
    const latin1 = Buffer.from('{"filename":"caf\u00e9.pdf"}', 'latin1');
    begin(latin1.length);
    caller.write(latin1);
    await expect(result).rejects.toMatchObject({ code: 'BAD_REQUEST', message: 'The body is not valid JSON.' });
  });

  it('of a batch within its limits may take minutes to arrive', async () => {
    const text = JSON.stringify('x'.repeat(BATCH_BYTES_MAX - 2));
    const pieceBytes = 2 * MIB;
    begin(text.length);
    for (let sent = 0; sent < text.length; sent += pieceBytes) {
      caller.write(text.slice(sent, sent + pieceBytes));
      await eventually(() => received === sent + pieceBytes);
      jest.advanceTimersByTime(WINDOW_MS);
    }
    expect(await result).toHaveLength(BATCH_BYTES_MAX - 2);
  });

  it('that holds much memory must arrive faster than one that holds little', async () => {
    begin(BATCH_BYTES_MAX);
    caller.write('x'.repeat(MIB));
    await eventually(() => received === MIB);
    jest.advanceTimersByTime(WINDOW_MS);
    await expect(result).rejects.toThrow(/^The body arrived at less than 65536 bytes a second/);
  });

  it('may be encoded, and is refused when its decoded bytes are too many', async () => {
    const bytes = gzipSync(JSON.stringify('x'.repeat(BATCH_BYTES_MAX)));
    begin(bytes.length, 'Content-Encoding: gzip\r\n');
    caller.write(bytes);
    await expect(result).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  it('is refused when its encoding is damaged', async () => {
    begin(5, 'Content-Encoding: gzip\r\n');
    caller.write('hello');
    await expect(result).rejects.toMatchObject({ message: 'The body could not be read to its end.' });
  });
});
