import { startObjectStore, type RunningObjectStore } from '@kiln/object-store';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createS3ObjectStore } from './s3-object-store.js';

const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };

describe('a put past the SDK', () => {
  let directory: string;
  let server: RunningObjectStore;
  let proxy: Server;
  /** What becomes of the next requests; null for what the store makes of it. */
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

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kiln-storage-'));
    server = await startObjectStore({ directory, ...credentials, durable: false });
    proxy = createServer(forward);
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const store = open();
    await store.ensureBucket();
    store.close();
  });
  beforeEach(() => {
    failures = [];
    puts = [];
  });
  after(async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
    await server.close(1_000);
    await rm(directory, { recursive: true, force: true });
  });

  it('of a small body is one request that the SDK has no part in', async () => {
    const store = open();
    await store.put('a/b', 'bytes', { contentType: 'x/y' });
    assert.equal((await store.head('a/b'))?.contentType, 'x/y');
    assert.equal(puts.length, 1);
    assert.doesNotMatch(puts[0]?.agent ?? '', /aws-sdk/);
    store.close();
  });

  it('is tried again by the SDK after an error of the store, and after a broken connection', async () => {
    const store = open();
    failures = [
      (response) => response.writeHead(503).end(),
      (response) => response.destroy(),
      (response) => response.writeHead(500).end(),
    ];
    await store.put('again', 'bytes', { contentType: 'x/y' });
    assert.equal((await store.head('again'))?.sizeBytes, 5);
    assert.deepEqual(
      puts.map(({ agent }) => /aws-sdk/.test(agent)),
      [false, true, true, true],
    );
    store.close();
  });

  it('of parts has no part for the SDK but what failed once, and stores what was sent', async () => {
    const store = open();
    const bytes = randomBytes(35 * 1024 * 1024);
    failures = [
      null, // begins the upload
      (response) => response.writeHead(503).end(),
      (response) => response.destroy(),
    ];
    await store.put('parts', bytes, { contentType: 'x/y' });
    assert.deepEqual(await buffer((await store.get('parts')).body), bytes);
    assert.equal(puts.filter(({ agent }) => !/aws-sdk/.test(agent)).length, 5);
    assert.equal(puts.filter(({ agent }) => /aws-sdk/.test(agent)).length, 2);
    store.close();
  });

  it('keeps the deadline of a call, whoever waits', async () => {
    const store = open({ requestTimeoutMs: 200 });
    failures = [() => undefined];
    await assert.rejects(store.put('late', 'bytes', { contentType: 'x/y' }), /no answer within 200 ms/);
    store.close();
  });

  it('goes through the SDK when its key needs encoding', async () => {
    const store = open();
    for (const key of ['a b', 'a/../b', 'a//b', 'ü', 'a%2fb', 'a.b']) {
      await store.put(key, key, { contentType: 'x/y' });
      assert.match(puts.at(-1)?.agent ?? '', /aws-sdk/, key);
      assert.equal((await store.head(key))?.sizeBytes, Buffer.byteLength(key), key);
    }
    store.close();
  });
});
