// Real: Postgres, the object store. Faked: the jobs service, whose changes are told here.
import { encodeId, outputKey, sourceKey, uuidOf } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
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
  before(async () => {
    kiln = await startFiles();
    followJob = new FollowJob(kiln.database, kiln.files);
    prepareRetry = new PrepareRetry(kiln.files, kiln.receiveUpload, kiln.sources);
  });
  after(() => kiln.close());

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
      begin: (fence: number) => kiln.processFile.begin(run(fence), context),
      finish: (fence: number) => kiln.processFile.finish(run(fence), context),
      commit: async (fence: number) => {
        const content_key = outputKey(tenantId, fileId, jobId, fence, 'markdown.md');
        await kiln.objects.put(content_key, 'hello', { contentType: 'text/markdown' });
        const variant = {
          type: 'markdown' as const,
          content_type: 'text/markdown',
          size_bytes: 5,
          provider: 'document_extractor',
        };
        return kiln.processFile.commitVariant({ ...run(fence), ...variant, content_key }, context);
      },
      fail: (fence: number) => kiln.files.failRun(kiln.database, { tenantId, fileId, jobId, fence }),
      status: async () => (await kiln.readFiles.get({ id: file_id }, context)).status,
      prepareRetry: (of = job_id) => prepareRetry.execute({ file_id, job_id: of }, context),
      putBytes: (content: string) =>
        kiln.objects.put(sourceKey(tenantId, fileId), content, { contentType: 'text/plain' }),
    };
  }
  async function stored() {
    const input = storedFile();
    await kiln.createFile.execute(input, context);
    return handle(input.file_id, input.job_id ?? '');
  }
  async function awaited() {
    const input = directUpload();
    await kiln.createUpload.execute(input, context);
    return handle(input.file_id, input.job_id ?? '');
  }

  it('whose job was cancelled is uploaded again, and nothing that its run still writes is seen', async () => {
    const file = await stored();
    await file.begin(1);
    await file.cancelled(2);
    assert.equal(await file.status(), 'uploaded');
    await assert.rejects(file.commit(1), superseded);
    await assert.rejects(file.finish(1), superseded);
    await assert.rejects(file.begin(1), superseded);
    await file.fail(1);
    assert.equal(await file.status(), 'uploaded');
    assert.deepEqual((await kiln.readFiles.get({ id: file.file_id }, context)).variants, []);
  });

  it('goes back to uploaded also when the run had finished here before the cancel won', async () => {
    const file = await stored();
    await file.begin(1);
    await file.commit(1);
    await file.finish(1);
    await file.cancelled(2);
    assert.equal(await file.status(), 'uploaded');
    assert.equal((await kiln.readFiles.get({ id: file.file_id }, context)).variants.length, 1);
  });

  it('without bytes keeps waiting for them when its job is cancelled, and is uploaded when they come', async () => {
    const file = await awaited();
    await file.cancelled(1);
    assert.equal(await file.status(), 'uploading');
    await file.putBytes('hello');
    await kiln.receiveUpload.execute(tenantId, file.fileId);
    assert.equal(await file.status(), 'uploaded');
    const expired = await awaited();
    await kiln.receiveUpload.expire(tenantId, expired.fileId);
    await expired.cancelled(1);
    assert.equal(await expired.status(), 'failed');
  });

  it('with a newer job, or one that has gone further, does not follow', async () => {
    const file = await stored();
    await file.begin(3);
    await file.cancelled(2);
    await file.cancelled(4, encodeId('job', uuidv7()));
    assert.equal(await file.status(), 'processing');
  });

  it('whose job is retried is processing at once, whatever of the failure is heard later', async () => {
    for (const failedFirst of [true, false]) {
      const file = await stored();
      await file.begin(1);
      if (failedFirst) await file.fail(1);
      await file.retried(2);
      await file.fail(1);
      assert.equal(await file.status(), 'processing');
      await file.begin(3);
      await file.finish(3);
      await file.retried(2);
      assert.equal(await file.status(), 'completed');
    }
  });

  it('lets its job be retried only while it is its own and its bytes are in storage', async () => {
    const file = await stored();
    await assert.rejects(file.prepareRetry(), { code: 'CONFLICT', message: /bytes/ });
    await file.putBytes('hello');
    const { job_id, ready } = await file.prepareRetry();
    assert.deepEqual([job_id, ready], [file.job_id, true]);
    await assert.rejects(file.prepareRetry(encodeId('job', uuidv7())), { code: 'CONFLICT', message: /newer/ });
    const gone = { file_id: encodeId('file', uuidv7()), job_id: file.job_id };
    await assert.rejects(prepareRetry.execute(gone, context), { code: 'NOT_FOUND' });
  });

  it('takes the size and type of bytes that came after its upload had expired when its job is retried', async () => {
    const file = await awaited();
    await kiln.receiveUpload.expire(tenantId, file.fileId);
    await assert.rejects(file.prepareRetry(), { code: 'CONFLICT' });
    await file.putBytes('%PDF-1.7 and so on');
    assert.equal((await file.prepareRetry()).content_type, 'application/pdf');
    const { size_bytes, status } = await kiln.readFiles.get({ id: file.file_id }, context);
    assert.deepEqual([size_bytes, status], [18, 'failed']);
    await file.retried(2);
    assert.ok((await file.begin(3)).source_etag);
  });
});
