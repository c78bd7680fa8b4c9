// Real: Postgres, the object store. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, sourceKey, uuidOf } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, directUpload, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';

const newBatchId = () => encodeId('batch', uuidv7());
const newJobId = () => encodeId('job', uuidv7());

describe('the counts of a batch', () => {
  let kiln: FilesHarness;
  const context = contextOf(uuidv7());
  const { tenantId } = context;
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  const countsOf = async (id: string) => {
    const { files, id: _id, rest: _rest, ...counts } = await kiln.readBatch.execute({ id }, context);
    expect(files).toHaveLength(counts.total);
    return counts;
  };
  const runOf = ({ file_id, job_id }: { file_id: string; job_id: string | null }, fence = 1) => ({
    tenantId,
    fileId: uuidOf('file', file_id),
    jobId: uuidOf('job', job_id ?? ''),
    fence,
  });
  const cancel = (file: Parameters<typeof runOf>[0], fence = 1) =>
    kiln.fileJobs.markCancelled(kiln.database, runOf(file, fence));
  async function stored(space = 'default') {
    const input = storedFile({ space });
    await kiln.registerFiles.stored(input, context);
    const key = sourceKey(tenantId, uuidOf('file', input.file_id));
    await kiln.objects.put(key, '# Hello', { contentType: 'text/markdown' });
    return input;
  }
  const process = async (file_ids: string[], batch_id: string) => {
    const files = file_ids.map((file_id) => ({ file_id, job_id: newJobId() }));
    await kiln.processFiles.execute({ batch_id, files, processing: {} }, context);
    return files;
  };

  it('leave nothing in progress once each job has ended, also by a cancellation before or after the bytes arrived', async () => {
    const [waiting, arrived, expired] = [directUpload(), directUpload(), directUpload()];
    const unprocessed = directUpload({ skip_processing: true, job_id: null });
    const uploads = [waiting, arrived, expired, unprocessed];
    const batch_id = newBatchId();
    await kiln.registerFiles.batch({ batch_id, files: uploads }, context);
    const put = async ({ file_id }: { file_id: string }) => {
      const fileId = uuidOf('file', file_id);
      await kiln.objects.put(sourceKey(tenantId, fileId), '# Hello', { contentType: 'text/markdown' });
      await kiln.receiveUpload.execute(tenantId, fileId);
    };
    await put(arrived);
    await put(unprocessed);
    expect(await countsOf(batch_id)).toStrictEqual({ total: 4, completed: 1, failed: 0, cancelled: 0, in_progress: 3 });
    await cancel(waiting);
    await cancel(arrived);
    await kiln.receiveUpload.expire(tenantId, uuidOf('file', expired.file_id));
    expect(await countsOf(batch_id)).toStrictEqual({ total: 4, completed: 1, failed: 1, cancelled: 2, in_progress: 0 });
    await put(waiting);
    expect(await countsOf(batch_id)).toStrictEqual({ total: 4, completed: 1, failed: 1, cancelled: 2, in_progress: 0 });
  });

  it('follow a run that is cancelled, and a job that is retried', async () => {
    const batch_id = newBatchId();
    const [file] = await process([(await stored()).file_id], batch_id);
    if (!file) throw new Error('no file');
    await kiln.runCalls.begin({ ...file, fence: 1 }, context);
    await cancel(file, 2);
    expect(await countsOf(batch_id)).toMatchObject({ cancelled: 1, in_progress: 0 });
    await kiln.fileJobs.markRetried(kiln.database, runOf(file, 3));
    expect(await countsOf(batch_id)).toMatchObject({ cancelled: 0, in_progress: 1 });
    await kiln.runCalls.begin({ ...file, fence: 4 }, context);
    await kiln.runCalls.finish({ ...file, fence: 4 }, context);
    expect(await countsOf(batch_id)).toStrictEqual({ total: 1, completed: 1, failed: 0, cancelled: 0, in_progress: 0 });
  });

  it('reach the end when the files in progress are deleted, one by one or with their space', async () => {
    const batch_id = newBatchId();
    const [kept, one, ofSpace] = [await stored(), await stored(), await stored('doomed')];
    const files = await process([kept.file_id, one.file_id, ofSpace.file_id], batch_id);
    await cancel(files[0] ?? one);
    await kiln.deleteFiles.one({ id: one.file_id }, context);
    await kiln.deleteSpace.execute({ name: 'doomed', cascade: true }, context);
    while (await kiln.deleteFilesOfSpaces.round()) {
      // Runs rounds until no space is left.
    }
    expect(await countsOf(batch_id)).toStrictEqual({ total: 1, completed: 0, failed: 0, cancelled: 1, in_progress: 0 });
  });

  it('are those of the files after concurrent batches, runs, cancellations and deletions of the same files', async () => {
    const files: { file_id: string }[] = [];
    for (let at = 0; at < 12; at++) files.push(await stored());
    const ids = files.map(({ file_id }) => file_id);
    const batches = Array.from({ length: 6 }, newBatchId);
    await Promise.all(
      batches.map(async (batch_id, at) => {
        const jobs = await process(at % 2 ? ids : ids.toReversed(), batch_id);
        const ended = jobs.map(async (job, place) => {
          if (place === at) return kiln.deleteFiles.one({ id: job.file_id }, context);
          if (place % 3 === at % 3) return cancel(job);
          return place % 3 === 1 && kiln.database.transaction((on) => kiln.fileJobs.markFailed(on, runOf(job)));
        });
        await Promise.all(ended);
      }),
    );
    const statuses = await kiln.sql<{ id: string; status: string; fence: number }>(
      `select b.batch_id as id, f.status, f.job_fence as fence
       from batch_files b join files f on f.tenant_id = b.tenant_id and f.id = b.file_id where b.tenant_id = $1`,
      [tenantId],
    );
    for (const batch_id of batches) {
      const members = statuses.filter(({ id }) => id === uuidOf('batch', batch_id));
      const { total, failed, cancelled, in_progress } = await countsOf(batch_id);
      const count = (status: string) => members.filter((member) => member.status === status).length;
      expect([total, failed, cancelled, in_progress]).toStrictEqual([
        members.length,
        count('failed'),
        count('uploaded'),
        count('processing'),
      ]);
    }
  });
});
