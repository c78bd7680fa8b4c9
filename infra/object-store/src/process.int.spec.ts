// The store as a process: crashes, graceful shutdown.
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStoreProcess } from './test-support/store-process.js';
import { bodyOf, BUCKET as Bucket, testClient } from './test-support/store.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kiln-store-process-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function openUpload(url: string, Key: string, sizeBytes: number): Promise<ClientRequest> {
  const client = testClient(url);
  const signed = await getSignedUrl(client, new PutObjectCommand({ Bucket, Key }), { expiresIn: 600 });
  client.destroy();
  return request(signed, { method: 'PUT', headers: { 'content-length': sizeBytes } });
}

test('kill -9 during a write leaves the old object complete and the new one absent', async () => {
  const first = await startStoreProcess(directory);
  const client = testClient(first.url);
  await client.send(new PutObjectCommand({ Bucket, Key: 'crash/old', Body: 'old version' }));
  client.destroy();
  const uploads = [
    await openUpload(first.url, 'crash/old', 100_000),
    await openUpload(first.url, 'crash/new', 100_000),
  ];
  for (const upload of uploads) {
    upload.on('error', () => undefined);
    upload.write(Buffer.alloc(99_999));
  }
  await eventually(async () => (await readdir(join(directory, 'tmp'))).length >= 2);
  first.child.kill('SIGKILL');
  await first.exited;

  const second = await startStoreProcess(directory);
  const reader = testClient(second.url);
  const listed = await reader.send(new ListObjectsV2Command({ Bucket, Prefix: 'crash/' }));
  expect(listed.Contents?.map(({ Key }) => Key)).toStrictEqual(['crash/old']);
  const stored = await bodyOf(await reader.send(new GetObjectCommand({ Bucket, Key: 'crash/old' })));
  expect(stored.toString()).toBe('old version');
  reader.destroy();
  second.child.kill('SIGTERM');
  await second.exited;
});

test('after SIGTERM, a running upload finishes, new requests are refused, and the exit code is 0', async () => {
  const { url, child, exited } = await startStoreProcess(directory);
  const unfinished = () => readdir(join(directory, 'tmp'));
  const leftBehind = new Set(await unfinished());
  const upload = await openUpload(url, 'last', 100_000);
  const answered = once(upload, 'response') as Promise<[{ statusCode?: number }]>;
  upload.write(Buffer.alloc(50_000));
  await eventually(async () => (await unfinished()).some((name) => !leftBehind.has(name)));
  child.kill('SIGTERM');
  const refused = async (): Promise<boolean> =>
    fetch(`${url}/-/health`).then(
      () => false,
      () => true,
    );
  await eventually(refused);
  upload.end(Buffer.alloc(50_000));
  const [{ statusCode }] = await answered;
  expect(statusCode).toBe(200);
  expect(await exited).toStrictEqual([0, null]);
});
