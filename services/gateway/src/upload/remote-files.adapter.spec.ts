// Real: an HTTP server on loopback.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createGuardedAgent, OutboundPolicy } from '@kiln/outbound';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { RemoteFiles } from './remote-files.adapter.js';

let server: Server;
let served: RequestListener;
let dispatcher: Dispatcher;
let policy: OutboundPolicy;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => served(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/a.txt`;
  policy = new OutboundPolicy({ allow: `127.0.0.1:${port}` });
  dispatcher = createGuardedAgent({ policy, connectTimeoutMs: 60_000, keepAliveMs: 1 });
});
afterAll(async () => {
  await dispatcher.destroy();
  server.closeAllConnections();
  server.close();
});

const never = new AbortController().signal;
const download = async (deadlineMs = 60_000) => {
  const { chunks, sizeBytes } = await new RemoteFiles({ policy, dispatcher, deadlineMs }).open(url, never);
  const text = Buffer.concat(await Array.fromAsync(chunks)).toString();
  return { text, sizeBytes };
};

it('closes the connection of a file that the caller ends before it has read any of it', async () => {
  const closed = new Promise<void>((resolve) => {
    served = (_request, response) => void response.once('close', resolve).write('x'.repeat(1_000));
  });
  const file = await new RemoteFiles({ policy, dispatcher, deadlineMs: 600_000 }).open(url, never);
  file.end();
  await expect(closed).resolves.toBeUndefined();
});

it.each<[string, RequestListener]>([
  ['does not answer', () => undefined],
  ['does not end', (_request, response) => void response.write('x')],
])('ends a download whose server %s within the time for it', async (_what, listener) => {
  served = listener;
  const error: unknown = await download(50).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'SOURCE_UNAVAILABLE', message: 'url: The download took longer than 0.05 s.' });
});

const TEXT = 'a,b\n'.repeat(10_000);
const serve = (encoding: string, bytes: Buffer): void => {
  served = (_request, response) =>
    void response.writeHead(200, { 'content-encoding': encoding, 'content-length': bytes.length }).end(bytes);
};

it.each<[string, Buffer]>([
  ['gzip', gzipSync(TEXT)],
  ['X-GZIP', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['zstd', zstdCompressSync(TEXT)],
])('decodes a file that its server stores as %s', async (encoding, bytes) => {
  serve(encoding, bytes);
  expect(await download()).toStrictEqual({ text: TEXT, sizeBytes: undefined });
});

it.each(['identity', 'utf-8', 'aws-chunked'])(
  'takes a file that its server stores as %s as it is',
  async (encoding) => {
    serve(encoding, Buffer.from(TEXT));
    expect(await download()).toStrictEqual({ text: TEXT, sizeBytes: TEXT.length });
  },
);

it.each<[string, Buffer]>([
  ['is not encoded', Buffer.from('no gzip')],
  ['ends too early', gzipSync(TEXT).subarray(0, -9)],
])('refuses a file of the encoding gzip that %s', async (_what, bytes) => {
  serve('gzip', bytes);
  const message = expect.stringMatching(/^url: The file is damaged/);
  await expect(download()).rejects.toMatchObject({ code: 'BAD_REQUEST', message });
});

it('names the failure of the server, when it ends in the middle of an encoded file', async () => {
  const bytes = gzipSync(TEXT);
  served = (request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bytes.length });
    response.write(bytes.subarray(0, 20), () => request.socket.resetAndDestroy());
  };
  await expect(download()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
});
