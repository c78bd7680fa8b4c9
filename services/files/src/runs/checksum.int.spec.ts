// Real: Postgres, the object store. Faked: the worker, which names the hash of what it has read.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, sourceKey, uuidOf } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, directUpload, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';

const [A, B] = ['a', 'b'].map((digit) => digit.repeat(64)) as [string, string];

describe('the SHA-256 of a file', () => {
  let kiln: FilesHarness;
  const context = contextOf(uuidv7());
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  const hashOf = async (id: string) => (await kiln.readFiles.get({ id }, context)).sha256;
  async function processAgain(fileId: string) {
    const job = { file_id: fileId, job_id: encodeId('job', uuidv7()) };
    await kiln.processFiles.execute({ files: [job], batch_id: null, processing: {} }, context);
    const run = { ...job, fence: 1 };
    return { run, begun: await kiln.runCalls.begin(run, context) };
  }
  /** A file whose bytes came by its signed URL, and its first run. */
  async function arrived() {
    const input = directUpload();
    const { upload_url: url } = await kiln.registerFiles.upload(input, context);
    await fetch(url, { method: 'PUT', body: 'bytes' });
    await kiln.receiveUpload.execute(context.tenantId, uuidOf('file', input.file_id));
    const run = { file_id: input.file_id, job_id: input.job_id ?? '', fence: 1 };
    return { input, url, run, begun: await kiln.runCalls.begin(run, context) };
  }

  it('that came by a signed URL is the one that its first finished run has read', async () => {
    const { input, run, begun } = await arrived();
    expect([begun.sha256, await hashOf(input.file_id)]).toStrictEqual([null, null]);
    await kiln.runCalls.finish({ ...run, sha256: A }, context);
    await kiln.runCalls.finish({ ...run, sha256: B }, context);
    expect(await hashOf(input.file_id)).toBe(A);
    // A repeated call is still recognized.
    expect((await kiln.registerFiles.upload(input, context)).id).toBe(input.file_id);
  });

  it('stays when the same bytes are processed again, and when a second PUT replaces them', async () => {
    const { input, url, run } = await arrived();
    await kiln.runCalls.finish({ ...run, sha256: A }, context);
    expect((await processAgain(input.file_id)).begun.sha256).toBe(A);
    await fetch(url, { method: 'PUT', body: 'other bytes' });
    // The new bytes get no job.
    await expect(processAgain(input.file_id)).rejects.toMatchObject({ code: 'SUPERSEDED' });
    expect(await hashOf(input.file_id)).toBe(A);
  });

  it('that came through the gateway is the one of the gateway, whatever a run has read', async () => {
    const input = storedFile({ sha256: A });
    await kiln.registerFiles.stored(input, context);
    const run = { file_id: input.file_id, job_id: input.job_id ?? '', fence: 1 };
    expect((await kiln.runCalls.begin(run, context)).sha256).toBe(A);
    await kiln.runCalls.finish({ ...run, sha256: B }, context);
    expect(await hashOf(input.file_id)).toBe(A);
    const key = sourceKey(context.tenantId, uuidOf('file', input.file_id));
    await kiln.objects.put(key, 'bytes', { contentType: 'text/plain' });
    const { begun } = await processAgain(input.file_id);
    expect([begun.sha256, begun.source_etag]).toStrictEqual([A, null]);
  });

  it('is not set by a run that a newer one has superseded', async () => {
    const { input, run } = await arrived();
    await kiln.runCalls.begin({ ...run, fence: 2 }, context);
    await expect(kiln.runCalls.finish({ ...run, sha256: B }, context)).rejects.toMatchObject({ code: 'SUPERSEDED' });
    expect(await hashOf(input.file_id)).toBeNull();
    await kiln.runCalls.finish({ ...run, fence: 2 }, context);
    // No hash was reported.
    expect(await hashOf(input.file_id)).toBeNull();
  });
});
