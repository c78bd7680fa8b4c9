import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startObjectStore, type RunningObjectStore } from '@kiln/object-store';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createS3ObjectStore } from './s3-object-store.js';

const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };

function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1_000_000) yield bytes.subarray(at, at + 1_000_000);
}

describe('a single-part upload', () => {
  let directory: string;
  let server: RunningObjectStore;
  let proxy: Server;
  /** How the next requests fail. Null: the store answers the request. */
  let failures: (((response: ServerResponse) => void) | null)[] = [];
  let puts: { agent: string; hash: string }[] = [];

  const forward = (raw: IncomingMessage, response: ServerResponse): void => {
    const { 'user-agent': agent = '', 'x-amz-content-sha256': hash = '' } = raw.headers;
    if (raw.method === 'PUT') puts.push({ agent, hash: String(hash) });
    const fail = failures.shift();
    if (fail) return void raw.resume().on('end', () => fail(response));
    const { method, url: path = '', headers } = raw;
    const onward = send(server.url, { method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    raw.pipe(onward);
  };
  const open = (change = {}) =>
    createS3ObjectStore({
      endpoint: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      region: 'us-east-1',
      bucket: 'files',
      forcePathStyle: true,
      ...credentials,
      ...change,
    });

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kiln-storage-'));
    server = await startObjectStore({ directory, ...credentials, durable: false });
    // It closes no connection between two requests.
    proxy = createServer({ keepAliveTimeout: 600_000 }, forward);
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const store = open();
    await store.ensureBucket();
    store.close();
  });
  beforeEach(() => {
    failures = [];
    puts = [];
  });
  afterAll(async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
    await server.close(1_000);
    await rm(directory, { recursive: true, force: true });
  });

  it('of a small body is one request without the SDK', async () => {
    const store = open();
    for (const key of ['a/b', 'a/b.c']) {
      await store.put(key, 'bytes', { contentType: 'x/y' });
      expect((await store.head(key))?.contentType).toBe('x/y');
      expect(puts.at(-1)?.agent ?? '').not.toMatch(/aws-sdk/);
    }
    expect(puts).toHaveLength(2);
    store.close();
  });

  it('is repeated by the SDK after an error of the store, and after a lost connection', async () => {
    const store = open();
    failures = [
      (response) => response.writeHead(503).end(),
      (response) => response.destroy(),
      (response) => response.writeHead(500).end(),
    ];
    await store.put('again', 'bytes', { contentType: 'x/y' });
    expect((await store.head('again'))?.sizeBytes).toBe(5);
    expect(puts.map(({ agent }) => /aws-sdk/.test(agent))).toStrictEqual([false, true, true, true]);
    store.close();
  });

  it('of a large body becomes a multipart upload, which succeeds even if an attempt to send a part fails', async () => {
    const store = open();
    const bytes = randomBytes(35 * 1024 * 1024);
    failures = [
      null, // begins the upload
      (response) => response.writeHead(503).end(),
      (response) => response.destroy(),
    ];
    await store.put('parts', Readable.from(inPieces(bytes)), { contentType: 'x/y' });
    expect(await buffer((await store.get('parts')).body)).toStrictEqual(bytes);
    expect(puts).toHaveLength(7);
    store.close();
  });

  it('keeps its connections open for later requests', async () => {
    const store = open();
    const opened = new Set<unknown>();
    const count = (socket: unknown) => void opened.add(socket);
    proxy.on('connection', count);
    for (let round = 0; round < 3; round += 1) {
      await store.put('small', 'bytes', { contentType: 'x/y' });
      await store.put('large', Buffer.alloc(9 * 1024 * 1024), { contentType: 'x/y' });
      expect((await store.head('small'))?.sizeBytes).toBe(5);
    }
    proxy.off('connection', count);
    expect(opened.size).toBeLessThanOrEqual(2);
    store.close();
  });

  it('fails at the deadline of the call', async () => {
    const store = open({ requestTimeoutMs: 200 });
    failures = [() => undefined];
    await expect(store.put('late', 'bytes', { contentType: 'x/y' })).rejects.toThrow(/no answer within 200 ms/);
    store.close();
  });

  it.each(['a b', 'a/../b', 'a//b', 'ü', 'a%2fb', 'a/.b'])(
    'uses the SDK for a key that needs encoding: %s',
    async (key) => {
      const store = open();
      await store.put(key, key, { contentType: 'x/y' });
      expect(puts.at(-1)?.agent ?? '').toMatch(/aws-sdk/);
      expect((await store.head(key))?.sizeBytes).toBe(Buffer.byteLength(key));
      store.close();
    },
  );
});
