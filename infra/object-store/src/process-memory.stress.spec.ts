// The store as a process: memory.
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStoreProcess } from './test-support/store-process.js';
import { BUCKET as Bucket, testClient } from './test-support/store.js';

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
