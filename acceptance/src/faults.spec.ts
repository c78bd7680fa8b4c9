// Files that are wrong, huge or hostile: each ends in a clear word, and nobody else notices.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { pdfOf, textBlob, zipBombDocx } from './support/documents.js';
import type { Job, KilnClient } from './support/kiln-client.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const LARGE_FILE_TIMEOUT_MS = 180_000;

describe('the worker lives and serves others while', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  const space = `faults-${randomUUID()}`;

  before(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  after(() => system.stop());

  async function process(name: string, content: Uint8Array | string | Blob): Promise<Job> {
    const { status, body } = await client.upload(name, content, { space });
    assert.equal(status, 201, JSON.stringify(body));
    return client.waitForJob(body.job_id, LARGE_FILE_TIMEOUT_MS);
  }

  async function othersAreServed(): Promise<void> {
    assert.equal((await process('fine.txt', 'all is well')).status, 'completed');
  }

  function failedWith(job: Job, ...codes: string[]): void {
    assert.equal(job.status, 'failed');
    assert.ok(job.error && codes.includes(job.error.code), JSON.stringify(job.error));
    assert.equal(job.error.retryable, false);
    assert.ok(job.error.message.length > 20, 'a reason that a person understands');
    assert.doesNotMatch(job.error.message, /\/tmp|node_modules| at .*\(/);
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
    assert.equal((await process('empty.txt', '')).status, 'completed');
    const { body } = await client.upload('empty.pdf', new Blob([], { type: 'application/pdf' }), { space });
    failedWith(await client.waitForJob(body.job_id), 'corrupt_file');
  });

  it('a zip bomb in a docx fails as file_too_large, beside a file that is served', async () => {
    const bomb = process('bomb.docx', await zipBombDocx(2_000_000_000));
    await othersAreServed();
    failedWith(await bomb, 'file_too_large');
    await othersAreServed();
  });

  it('a text of 300 MB ends in file_too_large', async () => {
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
