// The S3 adapter with the embedded store: the contract of all adapters, and tests for S3 alone.
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, test } from '@jest/globals';
import { startObjectStore, type RunningObjectStore } from '@kiln/object-store';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
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

testObjectStoreContract('S3 on the embedded store', {
  start,
  binds: { contentType: true, sizeBytes: true, version: false, part: true, partBytes: true },
});

test('a stream that fails leaves no unfinished upload', async () => {
  const failing = Readable.from(
    (async function* () {
      for (let at = 0; at < 20; at += 1) yield Buffer.alloc(1024 * 1024);
      throw new Error('the source broke');
    })(),
  );
  await expect(store.put('broken', failing, { contentType: 'x/y' })).rejects.toThrow();
  expect(await readdir(join(directory, 'uploads/files'))).toStrictEqual([]);
});

test('the tag of an object is the MD5 of its bytes, and a missing bucket is reported as such', async () => {
  const { etag } = await store.put('tagged', 'bytes', { contentType: 'x/y' });
  expect(etag).toBe(createHash('md5').update('bytes').digest('hex'));
  const elsewhere = createS3ObjectStore({ ...configOf(), bucket: 'no-such-bucket' });
  await expect(elsewhere.get('tagged')).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(/create the bucket/),
  });
  elsewhere.close();
});

test('a signed PUT without a content type requires no header', async () => {
  expect((await store.signPut('free', { expiresSeconds: 60 })).headers).toStrictEqual({});
});

test('keys that XML cannot represent are listed and deleted like any other', async () => {
  const odd = ['odd/\u0001', 'odd/\n\r', 'odd/\ufffe'];
  for (const key of odd) await store.put(key, 'x', { contentType: 'x/y' });
  expect((await store.list('odd/')).objects.map(({ key }) => key).sort()).toStrictEqual([...odd].sort());
  await store.deleteMany(odd);
  expect((await store.list('odd/')).objects).toStrictEqual([]);
});

test('a key that cannot be deleted fails the call after all others are deleted', async () => {
  const keys = Array.from({ length: 1_010 }, (_, at) => `stuck/${at}`);
  await store.put('stuck/1009', 'x', { contentType: 'x/y' });
  await mkdir(join(directory, 'buckets/files/stuck.d/7.o')); // the store cannot unlink a folder
  await expect(store.deleteMany(keys)).rejects.toMatchObject({
    name: 'StorageError',
    code: 'unavailable',
    retryable: true,
  });
  expect(await store.head('stuck/1009')).toBeNull();
  await rm(join(directory, 'buckets/files/stuck.d'), { recursive: true });
  await store.deleteMany(keys);
});

test('uploads that began before a given time are aborted, over several pages, and no newer ones', async () => {
  const client = new S3Client({ ...configOf(), credentials });
  const begin = (Key: string): Promise<unknown> =>
    client.send(new CreateMultipartUploadCommand({ Bucket: 'files', Key }));
  const keys = Array.from({ length: 1_005 }, (_, at) => `stale/${at % 3} ü\u0001`);
  for (let at = 0; at < keys.length; at += 50) await Promise.all(keys.slice(at, at + 50).map(begin));
  expect(await store.abortStaleUploads({ olderThan: new Date(Date.now() - 3_600_000) })).toBe(0);
  // The first page alone, then the rest.
  let pages = 0;
  const afterPage = () => Promise.resolve(++pages > 1);
  const olderThan = new Date(Date.now() + 60_000);
  const first = await store.abortStaleUploads({ olderThan, afterPage });
  expect([pages, first > 0, first < keys.length]).toStrictEqual([1, true, true]);
  expect(await store.abortStaleUploads({ olderThan, afterPage })).toBe(keys.length - first);
  const left = await client.send(new ListMultipartUploadsCommand({ Bucket: 'files' }));
  expect(left.Uploads ?? []).toStrictEqual([]);
  client.destroy();
});

test('uploads to keep are not aborted, however old they are', async () => {
  const [kept, other] = [await store.beginParts('kept'), await store.beginParts('kept')];
  const keep = async (uploads: readonly { uploadId: string }[]) => {
    expect(uploads.map(({ uploadId }) => uploadId).sort()).toStrictEqual([kept, other].sort());
    return new Set([kept]);
  };
  expect(await store.abortStaleUploads({ olderThan: new Date(Date.now() + 60_000), keep })).toBe(1);
  expect((await store.listParts('kept', kept)).parts).toStrictEqual([]);
  await store.abortParts('kept', kept);
});

test('a prefix is deleted over several pages', async () => {
  const keys = Array.from({ length: 1050 }, (_, at) => `p/${at}`);
  for (let at = 0; at < keys.length; at += 50) {
    await Promise.all(keys.slice(at, at + 50).map((key) => store.put(key, 'x', { contentType: 'x/y' })));
  }
  expect(await store.deletePrefix('p/')).toBe(1050);
  expect(await store.deletePrefix('p/')).toBe(0);
});
