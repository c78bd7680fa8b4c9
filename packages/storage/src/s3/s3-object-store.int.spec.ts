// The S3 adapter against the embedded store: the contract of all adapters, and what only S3 has.
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { startObjectStore, type RunningObjectStore } from '@kiln/object-store';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { ObjectStore } from '../index.js';
import { testObjectStoreContract } from '../test-support/contract/contract.js';
import type { ContractPeer } from '../test-support/contract/peer.js';
import { createS3ObjectStore, type S3StoreConfig } from './index.js';

const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
let directory: string;
let server: RunningObjectStore;
let store: ObjectStore;

const configOf = (): S3StoreConfig => ({
  endpoint: server.url,
  region: 'us-east-1',
  bucket: 'files',
  forcePathStyle: true,
  ...credentials,
});

async function start(): Promise<ContractPeer> {
  directory = await mkdtemp(join(tmpdir(), 'kiln-storage-'));
  server = await startObjectStore({ directory, ...credentials, durable: false });
  store = createS3ObjectStore(configOf());
  return {
    open: ({ wrongKey, ...change } = {}) =>
      createS3ObjectStore({ ...configOf(), ...change, ...(wrongKey && { secretAccessKey: 'wrong' }) }),
    close: async () => {
      store.close();
      await server.close(1_000);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

testObjectStoreContract('S3 on the embedded store', { start, binds: { contentType: true, sizeBytes: true } });

test('a stream that fails midway leaves no upload', async () => {
  const failing = Readable.from(
    (async function* () {
      for (let at = 0; at < 20; at += 1) yield Buffer.alloc(1024 * 1024);
      throw new Error('the source broke');
    })(),
  );
  await assert.rejects(store.put('broken', failing, { contentType: 'x/y' }));
  assert.deepEqual(await readdir(join(directory, 'uploads/files')), []);
});

test('an object is tagged with the MD5 of its bytes, and that of a bucket that is missing says so', async () => {
  const { etag } = await store.put('tagged', 'bytes', { contentType: 'x/y' });
  assert.equal(etag, createHash('md5').update('bytes').digest('hex'));
  const elsewhere = createS3ObjectStore({ ...configOf(), bucket: 'no-such-bucket' });
  await assert.rejects(elsewhere.get('tagged'), { code: 'invalid', message: /create the bucket/ });
  elsewhere.close();
});

test('a signed PUT that binds nothing asks for no header', async () => {
  assert.deepEqual((await store.signPut('free', { expiresSeconds: 60 })).headers, {});
});

test('keys that XML cannot carry are listed and deleted like any other', async () => {
  const odd = ['odd/\u0001', 'odd/\n\r', 'odd/\ufffe'];
  for (const key of odd) await store.put(key, 'x', { contentType: 'x/y' });
  assert.deepEqual((await store.list('odd/')).objects.map(({ key }) => key).sort(), [...odd].sort());
  await store.deleteMany(odd);
  assert.deepEqual((await store.list('odd/')).objects, []);
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
  const client = new S3Client({ ...configOf(), credentials });
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

test('a prefix is deleted over several pages', async () => {
  const keys = Array.from({ length: 1050 }, (_, at) => `p/${at}`);
  for (let at = 0; at < keys.length; at += 50) {
    await Promise.all(keys.slice(at, at + 50).map((key) => store.put(key, 'x', { contentType: 'x/y' })));
  }
  assert.equal(await store.deletePrefix('p/'), 1050);
  assert.equal(await store.deletePrefix('p/'), 0);
});
