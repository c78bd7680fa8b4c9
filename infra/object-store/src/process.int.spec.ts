// The store as a process: memory, crashes, graceful shutdown.
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './test-support/eventually.js';
import { startStoreProcess } from './test-support/store-process.js';
import { bodyOf, BUCKET as Bucket, testClient } from './test-support/store.js';

const MEBIBYTE = 1024 * 1024;
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

async function peakRssMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

const notLinux = process.platform !== 'linux' && 'reads /proc, which only Linux has';

(notLinux ? test.skip : test)(
  '256 MiB in and out again grow the process by less than 100 MiB',
  async () => {
    const { url, child, exited } = await startStoreProcess(directory);
    const pid = child.pid ?? 0;
    const startMebibytes = await peakRssMebibytes(pid);
    const piece = Buffer.alloc(MEBIBYTE, 'kiln');
    const sent = createHash('md5');
    const upload = await openUpload(url, 'large', 256 * MEBIBYTE);
    for (let at = 0; at < 256; at += 1) {
      sent.update(piece);
      if (!upload.write(piece)) await once(upload, 'drain');
    }
    const answered = once(upload, 'response') as Promise<[{ statusCode?: number; headers: { etag?: string } }]>;
    upload.end();
    const [{ statusCode, headers }] = await answered;
    expect(statusCode).toBe(200);
    const hex = sent.digest('hex');
    expect(headers.etag).toBe(`"${hex}"`);

    const client = testClient(url);
    const response = await fetch(await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: 'large' })));
    const received = createHash('md5');
    for await (const part of response.body ?? []) received.update(part as Uint8Array);
    expect(received.digest('hex')).toBe(hex);
    client.destroy();
    const grownMebibytes = (await peakRssMebibytes(pid)) - startMebibytes;
    expect(grownMebibytes).toBeLessThan(100);
    child.kill('SIGTERM');
    await exited;
  },
  120_000,
);

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
