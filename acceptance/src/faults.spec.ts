// Corrupt, huge and hostile files: each ends with a clear error code, and other files are not affected.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { pdfOf, textBlob, zipBombDocx } from './support/documents.js';
import { bodyOf, type Job, type KilnClient } from './support/kiln-client.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const LARGE_FILE_TIMEOUT_MS = 180_000;

describe('the worker keeps running and serves others while', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  const space = `faults-${randomUUID()}`;

  beforeAll(async () => {
    system = await systemUnderTest();
    // The jobs of other suites do not wait behind these files.
    client = await system.newClient();
  });
  afterAll(() => system.stop());

  async function process(name: string, content: Uint8Array | string | Blob): Promise<Job> {
    const { job_id: jobId } = bodyOf(await client.upload(name, content, { space }), 201);
    return client.waitForJob(jobId, LARGE_FILE_TIMEOUT_MS);
  }

  async function othersAreServed(): Promise<void> {
    expect((await process('fine.txt', 'all is well')).status).toBe('completed');
  }

  function failedWith(job: Job, ...codes: string[]): void {
    expect(job.status).toBe('failed');
    if (!job.error || !codes.includes(job.error.code)) throw new Error(JSON.stringify(job.error));
    expect(job.error.retryable).toBe(false);
    // A readable reason.
    expect(job.error.message.length).toBeGreaterThan(20);
    expect(job.error.message).not.toMatch(/\/tmp|node_modules| at .*\(/);
  }

  it('a corrupt PDF fails as corrupt_file', async () => {
    const pdf = await pdfOf('soon to be broken');
    failedWith(
      await process('broken.pdf', Buffer.concat([pdf.subarray(0, 200), Buffer.alloc(500, 7)])),
      'corrupt_file',
    );
    await othersAreServed();
  });

  it('an empty file completes as text, and fails as a PDF', async () => {
    expect((await process('empty.txt', '')).status).toBe('completed');
    const { body } = await client.upload('empty.pdf', new Blob([], { type: 'application/pdf' }), { space });
    failedWith(await client.waitForJob(body.job_id), 'corrupt_file');
  });

  it('a zip bomb in a docx fails as file_too_large, and a concurrent file completes', async () => {
    const bomb = process('bomb.docx', await zipBombDocx(2_000_000_000));
    await othersAreServed();
    failedWith(await bomb, 'file_too_large');
    await othersAreServed();
  });

  it('a text of 300 MB fails as file_too_large', async () => {
    failedWith(await process('huge.txt', textBlob(300)), 'file_too_large');
    await othersAreServed();
  });

  it('a video or an unknown binary fails as unsupported_type', async () => {
    failedWith(
      await process('noise.bin', Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 7919) % 256))),
      'unsupported_type',
    );
  });
});
