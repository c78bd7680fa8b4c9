// Real: Postgres, the object store. Faked: the jobs service, whose changes the spec applies.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, outputKey, sourceKey, uuidOf } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, directUpload, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';
import { FollowJob } from './follow-job.usecase.js';
import { PrepareRetry } from './prepare-retry.usecase.js';

const superseded = { code: 'SUPERSEDED' };

describe('a file', () => {
  let kiln: FilesHarness;
  let followJob: FollowJob;
  let prepareRetry: PrepareRetry;
  const context = contextOf(uuidv7());
  const { tenantId } = context;
  beforeAll(async () => {
    kiln = await startFiles();
    followJob = new FollowJob(kiln.database, kiln.fileJobs);
    prepareRetry = new PrepareRetry(kiln.files, kiln.receiveUpload, kiln.sources);
  });
  afterAll(() => kiln.close());

  function handle(file_id: string, job_id: string) {
    const [fileId, jobId] = [uuidOf('file', file_id), uuidOf('job', job_id)];
    const follow =
      (status: 'queued' | 'cancelled') =>
      (fence: number, of = job_id) =>
        followJob.execute({ file_id, job_id: of, fence, status }, context);
    const run = (fence: number) => ({ file_id, job_id, fence });
    return {
      file_id,
      job_id,
      fileId,
      cancelled: follow('cancelled'),
      retried: follow('queued'),
      begin: (fence: number) => kiln.runCalls.begin(run(fence), context),
      finish: (fence: number) => kiln.runCalls.finish(run(fence), context),
      commit: async (fence: number) => {
        const content_key = outputKey(tenantId, fileId, jobId, fence, 'markdown.md');
        await kiln.objects.put(content_key, 'hello', { contentType: 'text/markdown' });
        const variant = {
          type: 'markdown' as const,
          content_type: 'text/markdown',
          size_bytes: 5,
          provider: 'document_extractor' as const,
        };
        return kiln.runCalls.commit({ ...run(fence), ...variant, content_key }, context);
      },
      fail: (fence: number) => kiln.fileJobs.markFailed(kiln.database, { tenantId, fileId, jobId, fence }),
      status: async () => (await kiln.readFiles.get({ id: file_id }, context)).status,
      prepareRetry: (of = job_id) => prepareRetry.execute({ file_id, job_id: of }, context),
      putBytes: (content: string) =>
        kiln.objects.put(sourceKey(tenantId, fileId), content, { contentType: 'text/plain' }),
    };
  }
  async function stored() {
    const input = storedFile();
    await kiln.registerFiles.stored(input, context);
    return handle(input.file_id, input.job_id ?? '');
  }
  async function awaited() {
    const input = directUpload();
    await kiln.registerFiles.upload(input, context);
    return handle(input.file_id, input.job_id ?? '');
  }

  it('becomes uploaded when its job is cancelled, and later writes of the run stay invisible', async () => {
    const file = await stored();
    await file.begin(1);
    await file.cancelled(2);
    expect(await file.status()).toBe('uploaded');
    await expect(file.commit(1)).rejects.toMatchObject(superseded);
    await expect(file.finish(1)).rejects.toMatchObject(superseded);
    await expect(file.begin(1)).rejects.toMatchObject(superseded);
    await file.fail(1);
    expect(await file.status()).toBe('uploaded');
    expect((await kiln.readFiles.get({ id: file.file_id }, context)).variants).toStrictEqual([]);
  });

  it('becomes uploaded even when the run had finished here before the cancellation', async () => {
    const file = await stored();
    await file.begin(1);
    await file.commit(1);
    await file.finish(1);
    await file.cancelled(2);
    expect(await file.status()).toBe('uploaded');
    expect((await kiln.readFiles.get({ id: file.file_id }, context)).variants).toHaveLength(1);
  });

  it('without bytes stays uploading when its job is cancelled, and becomes uploaded when they arrive', async () => {
    const file = await awaited();
    await file.cancelled(1);
    expect(await file.status()).toBe('uploading');
    await file.putBytes('hello');
    await kiln.receiveUpload.execute(tenantId, file.fileId);
    expect(await file.status()).toBe('uploaded');
    const expired = await awaited();
    await kiln.receiveUpload.expire(tenantId, expired.fileId);
    await expired.cancelled(1);
    expect(await expired.status()).toBe('failed');
  });

  it('with a newer job or a newer run does not change', async () => {
    const file = await stored();
    await file.begin(3);
    await file.cancelled(2);
    await file.cancelled(4, encodeId('job', uuidv7()));
    expect(await file.status()).toBe('processing');
  });

  it('becomes processing when its job is retried, even if the failure is reported later', async () => {
    for (const failedFirst of [true, false]) {
      const file = await stored();
      await file.begin(1);
      if (failedFirst) await file.fail(1);
      await file.retried(2);
      await file.fail(1);
      expect(await file.status()).toBe('processing');
      await file.begin(3);
      await file.finish(3);
      await file.retried(2);
      expect(await file.status()).toBe('completed');
    }
  });

  it('allows a retry of its current job only, and only with its bytes in storage', async () => {
    const file = await stored();
    await expect(file.prepareRetry()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/bytes/),
    });
    await file.putBytes('hello');
    const { job_id, ready } = await file.prepareRetry();
    expect([job_id, ready]).toStrictEqual([file.job_id, true]);
    await expect(file.prepareRetry(encodeId('job', uuidv7()))).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/newer/),
    });
    const gone = { file_id: encodeId('file', uuidv7()), job_id: file.job_id };
    await expect(prepareRetry.execute(gone, context)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('gets the size and type of bytes that arrived after its upload had expired, when its job is retried', async () => {
    const file = await awaited();
    await kiln.receiveUpload.expire(tenantId, file.fileId);
    await expect(file.prepareRetry()).rejects.toMatchObject({ code: 'CONFLICT' });
    await file.putBytes('%PDF-1.7 and so on');
    expect((await file.prepareRetry()).content_type).toBe('application/pdf');
    const { size_bytes, status } = await kiln.readFiles.get({ id: file.file_id }, context);
    expect([size_bytes, status]).toStrictEqual([18, 'failed']);
    await file.retried(2);
    expect((await file.begin(3)).source_etag).toBeTruthy();
  });
});
