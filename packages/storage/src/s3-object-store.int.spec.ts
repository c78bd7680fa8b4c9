// The adapter against the real embedded store.
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { startObjectStore, type RunningObjectStore } from '@kiln/object-store';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { createS3ObjectStore, listPages, type ObjectStore, type S3StoreConfig } from './index.js';

const MEBIBYTE = 1024 * 1024;
let directory: string;
let server: RunningObjectStore;
let config: S3StoreConfig;
let store: ObjectStore;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kiln-storage-'));
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
  server = await startObjectStore({ directory, ...credentials, durable: false });
  config = { endpoint: server.url, region: 'us-east-1', bucket: 'files', forcePathStyle: true, ...credentials };
  store = createS3ObjectStore(config);
  await Promise.all([store.ensureBucket(), store.ensureBucket()]);
});

after(async () => {
  store.close();
  await server.close(1_000);
  await rm(directory, { recursive: true, force: true });
});

const textOf = async (key: string): Promise<string> => (await buffer((await store.get(key)).body)).toString();
const openUploads = (): Promise<string[]> => readdir(join(directory, 'uploads/files')).catch(() => []);

async function* repeated(piece: Buffer, count: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < count; at += 1) yield piece;
}

test('small bodies of every kind come back as they went, with size, tag and type', async () => {
  for (const body of ['tëxt', Buffer.from([0, 1, 2]), Readable.from([Buffer.from('a'), Buffer.from('b')]), '']) {
    const expected = body instanceof Readable ? Buffer.from('ab') : Buffer.from(body);
    const etag = createHash('md5').update(expected).digest('hex');
    assert.deepEqual(await store.put('a b/ü', body, { contentType: 'x/y' }), { sizeBytes: expected.length, etag });
    const { body: stored, ...head } = await store.get('a b/ü');
    assert.deepEqual(await buffer(stored), expected);
    assert.deepEqual(await store.head('a b/ü'), head);
    assert.deepEqual(
      { ...head, lastModified: 0 },
      { sizeBytes: expected.length, etag, contentType: 'x/y', lastModified: 0 },
    );
  }
});

test('256 MiB of unknown length are stored with memory for a few parts', { timeout: 180_000 }, async () => {
  const piece = Buffer.alloc(MEBIBYTE, 'x');
  let peakBytes = 0;
  const measure = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss())), 20);
  const startBytes = process.memoryUsage.rss();
  const { sizeBytes, etag } = await store.put('huge', Readable.from(repeated(piece, 256)), { contentType: 'x/y' });
  clearInterval(measure);
  assert.equal(sizeBytes, 256 * MEBIBYTE);
  assert.match(etag, /-32$/);
  // This process also runs the server.
  const grown = (peakBytes - startBytes) / MEBIBYTE;
  assert.ok(grown < 160, `grew by ${grown.toFixed(0)} MiB`);
  await store.delete('huge');
});

test('a stream that fails or is aborted midway leaves neither an object nor an upload', async () => {
  const failing = Readable.from(
    (async function* () {
      yield* repeated(Buffer.alloc(MEBIBYTE), 20);
      throw new Error('the source broke');
    })(),
  );
  await assert.rejects(store.put('broken', failing, { contentType: 'x/y' }), {
    name: 'StorageError',
    code: 'unavailable',
  });
  const controller = new AbortController();
  const endless = Readable.from(
    (async function* () {
      yield* repeated(Buffer.alloc(MEBIBYTE), 20);
      controller.abort();
      await once(process, 'never');
    })(),
  );
  const aborted = store.put('broken', endless, { contentType: 'x/y', signal: controller.signal });
  await assert.rejects(aborted, { name: 'StorageError', retryable: false });
  assert.equal(await store.head('broken'), null);
  assert.deepEqual(await openUploads(), []);
});

test('a body of another size than announced is not stored', async () => {
  for (const count of [1, 10]) {
    const body = Readable.from(repeated(Buffer.alloc(MEBIBYTE), count));
    const put = store.put('wrong-size', body, { contentType: 'x/y', sizeBytes: 5 });
    await assert.rejects(put, { code: 'invalid', retryable: false });
  }
  assert.equal(await store.head('wrong-size'), null);
  assert.deepEqual(await openUploads(), []);
});

test('ranges read exactly their bytes', async () => {
  await store.put('range', '0123456789', { contentType: 'x/y' });
  const read = async (range: { start: number; end?: number }): Promise<string> =>
    (await buffer((await store.get('range', { range })).body)).toString();
  assert.deepEqual([await read({ start: 2, end: 4 }), await read({ start: 8 })], ['234', '89']);
  await assert.rejects(read({ start: 99 }), { code: 'invalid' });
  await assert.rejects(read({ start: 3, end: 2 }), { code: 'invalid' });
});

test('what is missing, forbidden or unreachable has its own code', async () => {
  await assert.rejects(store.get('missing'), { name: 'StorageError', code: 'not_found', retryable: false });
  assert.equal(await store.head('missing'), null);
  await store.delete('missing');
  const failing: [Partial<S3StoreConfig>, object][] = [
    [{ secretAccessKey: 'wrong' }, { code: 'access_denied', retryable: false }],
    [{ bucket: 'no-such-bucket' }, { code: 'invalid', retryable: false }],
    [{ endpoint: 'http://127.0.0.1:9' }, { code: 'unavailable', retryable: true }],
  ];
  for (const [change, expected] of failing) {
    const other = createS3ObjectStore({ ...config, ...change });
    await assert.rejects(other.get('missing'), expected);
    await assert.rejects(other.ping(), expected);
    other.close();
  }
  await store.ping();
});

test('a store that never answers is given up at the deadline, one that stalls in a body too', async () => {
  const silent: Server = createServer((request, response) => {
    if (request.url?.includes('stall')) response.writeHead(200, { 'content-length': 10 }).write('12345');
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const other = createS3ObjectStore({ ...config, endpoint, requestTimeoutMs: 200 });
  await assert.rejects(other.head('x'), { code: 'unavailable', retryable: true });
  await assert.rejects(other.put('x', 'body', { contentType: 'x/y' }), { code: 'unavailable' });
  const { body } = await other.get('stall');
  await assert.rejects(buffer(body), { code: 'unavailable', retryable: true });
  other.close();
  silent.close();
  silent.closeAllConnections();
});

test('lists page in byte order with prefixes rolled up, whatever the keys hold', async () => {
  const keys = ['l/a', 'l/a b+%', 'l/a/1', 'l/a/2', 'l/b\u0001\n', 'l/é'];
  for (const key of keys) await store.put(key, 'x', { contentType: 'x/y' });
  const first = await store.list('l/', { limit: 3, delimiter: '/' });
  const second = await store.list('l/', { limit: 3, delimiter: '/', cursor: first.nextCursor ?? '' });
  assert.deepEqual(
    [...first.objects, ...second.objects].map(({ key }) => key),
    ['l/a', 'l/a b+%', 'l/b\u0001\n', 'l/é'],
  );
  assert.deepEqual([...first.prefixes, ...second.prefixes], ['l/a/']);
  assert.equal(second.nextCursor, null);
});

test('a listing goes on after any key, there or not, and every page comes once', async () => {
  const keys = ['after/a', 'after/b', 'after/c/1', 'after/c/2', 'after/d', 'after/é'];
  for (const key of keys) await store.put(key, 'x', { contentType: 'x/y' });
  const keysAfter = async (startAfter: string, limit: number): Promise<string[][]> => {
    const pages: string[][] = [];
    for await (const { objects } of listPages(store, 'after/', { startAfter, limit })) {
      pages.push(objects.map(({ key }) => key));
    }
    return pages;
  };
  assert.deepEqual((await keysAfter('after/b', 10)).flat(), keys.slice(2));
  assert.deepEqual((await keysAfter('after/bb', 1)).flat(), keys.slice(2));
  assert.deepEqual(await keysAfter('', 4), [keys.slice(0, 4), keys.slice(4)]);
  assert.deepEqual((await keysAfter('after/é', 10)).flat(), []);
});

test('many keys are deleted in batches; missing and odd ones are fine, and again is fine', async () => {
  const odd = ['many/\u0001', 'many/\n\r', 'many/a&<b>', "many/'", 'many/é +%2F'];
  for (const key of odd) await store.put(key, 'x', { contentType: 'x/y' });
  const missing = Array.from({ length: 2_100 }, (_, at) => `many/missing/${at}`);
  await store.put('many/missing/2050', 'x', { contentType: 'x/y' });
  await store.put('many', 'stays', { contentType: 'x/y' });
  for (let times = 0; times < 2; times += 1) await store.deleteMany([...missing, ...odd]);
  await store.deleteMany([]);
  assert.deepEqual((await store.list('many/')).objects, []);
  assert.equal(await textOf('many'), 'stays');
});

test('a key that cannot be deleted fails the call when all others are gone', async () => {
  const keys = Array.from({ length: 1_010 }, (_, at) => `stuck/${at}`);
  await store.put('stuck/1009', 'x', { contentType: 'x/y' });
  await mkdir(join(directory, 'buckets/files/stuck.d/7.o')); // the store cannot unlink a folder
  await assert.rejects(store.deleteMany(keys), { name: 'StorageError', code: 'unavailable', retryable: true });
  assert.equal(await store.head('stuck/1009'), null);
  await rm(join(directory, 'buckets/files/stuck.d'), { recursive: true });
  await store.deleteMany(keys);
});

test('uploads begun before a moment are given up, over several pages, and no younger ones', async () => {
  const client = new S3Client({
    endpoint: server.url,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  });
  const begin = (Key: string): Promise<unknown> =>
    client.send(new CreateMultipartUploadCommand({ Bucket: 'files', Key }));
  const keys = Array.from({ length: 1_005 }, (_, at) => `stale/${at % 3} ü\u0001`);
  for (let at = 0; at < keys.length; at += 50) await Promise.all(keys.slice(at, at + 50).map(begin));
  assert.equal(await store.abortStaleUploads({ olderThan: new Date(Date.now() - 60_000) }), 0);
  assert.equal(await store.abortStaleUploads({ olderThan: new Date(Date.now() + 60_000) }), keys.length);
  const left = await client.send(new ListMultipartUploadsCommand({ Bucket: 'files' }));
  assert.deepEqual(left.Uploads ?? [], []);
  client.destroy();
});

test('a prefix is deleted over several pages and nothing beside it; the empty prefix is refused', async () => {
  const keys = Array.from({ length: 1050 }, (_, at) => `p/${at}`);
  for (let at = 0; at < keys.length; at += 50) {
    await Promise.all(keys.slice(at, at + 50).map((key) => store.put(key, 'x', { contentType: 'x/y' })));
  }
  await store.put('p', 'stays', { contentType: 'x/y' });
  assert.equal(await store.deletePrefix('p/'), 1050);
  assert.equal(await store.deletePrefix('p/'), 0);
  assert.equal(await textOf('p'), 'stays');
  await assert.rejects(store.deletePrefix(''), { code: 'invalid' });
});

test('signed URLs serve plain HTTP clients, name the file safely and bind what was given', async () => {
  const put = (url: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url, { method: 'PUT', body: Buffer.from(body), headers });
  assert.equal((await put(await store.signPut('s/free', { expiresSeconds: 60 }), 'free')).status, 200);
  const bound = await store.signPut('s/bound', { expiresSeconds: 60, contentType: 'text/csv', sizeBytes: 5 });
  assert.equal((await put(bound, 'exact', { 'content-type': 'text/csv' })).status, 200);
  assert.equal((await put(bound, 'longer', { 'content-type': 'text/csv' })).status, 403);
  assert.equal((await put(bound, 'exact', { 'content-type': 'text/html' })).status, 403);
  const url = await store.signGet('s/free', {
    expiresSeconds: 60,
    filename: 'naïve"\r\n.txt',
    contentType: 'text/plain',
  });
  const got = await fetch(url);
  assert.equal(await got.text(), 'free');
  assert.equal(got.headers.get('content-type'), 'text/plain');
  assert.equal(
    got.headers.get('content-disposition'),
    `attachment; filename="na_ve_.txt"; filename*=UTF-8''na%C3%AFve%22.txt`,
  );
  await assert.rejects(store.signGet('s', { expiresSeconds: 0 }), { code: 'invalid' });
});

test('signed URLs carry the public host', async () => {
  const other = createS3ObjectStore({ ...config, publicEndpoint: 'https://files.example' });
  assert.match(await other.signGet('k', { expiresSeconds: 60 }), /^https:\/\/files\.example\/files\/k\?/);
  other.close();
});
