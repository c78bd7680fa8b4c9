// Real: Postgres, the object store. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, outputKey, sourceKey, uuidOf } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, directUpload, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';

const newBatchId = () => encodeId('batch', uuidv7());
const newJobId = () => encodeId('job', uuidv7());

describe('batches', () => {
  let kiln: FilesHarness;
  const context = contextOf(uuidv7());
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  const put = (file_id: string, content = '# Hello') =>
    kiln.objects.put(sourceKey(context.tenantId, uuidOf('file', file_id)), content, { contentType: 'text/markdown' });

  async function stored(overrides: Parameters<typeof storedFile>[0] = {}) {
    const input = storedFile(overrides);
    await kiln.registerFiles.stored(input, context);
    await put(input.file_id);
    return input;
  }
  const process = (file_ids: string[], batch_id: string | null = null, processing = {}) =>
    kiln.processFiles.execute(
      { batch_id, files: file_ids.map((file_id) => ({ file_id, job_id: newJobId() })), processing },
      context,
    );
  const statusOf = async (id: string) => (await kiln.readFiles.get({ id }, context)).status;

  describe('of uploads', () => {
    it('are registered in the order of the request, each with its URL and its events, also when repeated concurrently', async () => {
      const files = Array.from({ length: 50 }, (_, at) => directUpload({ filename: `${at}.md`, space: `s${at % 3}` }));
      const input = { batch_id: newBatchId(), files };
      const register = () => kiln.registerFiles.batch(input, context);
      const [first, second] = await Promise.all([register(), register()]);
      for (const { files: created } of [first, second, await register()]) {
        expect(created.map(({ id, filename, job_id }) => [id, filename, job_id])).toStrictEqual(
          files.map(({ file_id, filename, job_id }) => [file_id, filename, job_id]),
        );
      }
      const [one] = files;
      if (!one) throw new Error('no one');
      expect(await kiln.eventsOf(one.file_id)).toStrictEqual(['file.created', 'file.processing.requested']);
      expect((await kiln.readBatch.execute({ id: input.batch_id }, context)).total).toBe(50);
      const [eighth] = first.files.slice(7);
      if (!eighth) throw new Error('no eighth file');
      const { upload_url, upload_method, upload_headers } = eighth;
      const sent = await fetch(upload_url, { method: upload_method, headers: upload_headers, body: 'x' });
      expect(sent.status).toBe(200);
      const { id } = eighth;
      await kiln.receiveUpload.execute(context.tenantId, uuidOf('file', id));
      expect(await statusOf(id)).toBe('uploaded');
    });

    it('are refused as a whole for the id of another file, and change nothing', async () => {
      const [taken, free] = [await stored(), directUpload()];
      const files = [free, directUpload({ file_id: taken.file_id })];
      await expect(kiln.registerFiles.batch({ batch_id: newBatchId(), files }, context)).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      expect((await kiln.readFiles.get({ id: taken.file_id }, context)).filename).toBe(taken.filename);
    });

    it('count the current status of their files: stored without processing, failed, deleted, processed again', async () => {
      const files = [
        directUpload({ job_id: null, skip_processing: true }),
        directUpload(),
        directUpload(),
        directUpload(),
      ];
      const [skipped, failed, deleted, completed] = files.map(({ file_id }) => uuidOf('file', file_id));
      const batch_id = newBatchId();
      await kiln.registerFiles.batch({ batch_id, files }, context);
      const counts = async () => {
        const {
          files: shown,
          id: _id,
          rest: _rest,
          ...numbers
        } = await kiln.readBatch.execute({ id: batch_id }, context);
        expect(shown).toHaveLength(numbers.total);
        return numbers;
      };
      expect(await counts()).toStrictEqual({ total: 4, completed: 0, failed: 0, cancelled: 0, in_progress: 4 });
      const set = (id: string | undefined, status: string) =>
        kiln.sql('update files set status = $2 where id = $1', [id, status]);
      await set(skipped, 'uploaded');
      await set(failed, 'failed');
      await set(completed, 'completed');
      await kiln.sql('delete from files where id = $1', [deleted]);
      expect(await counts()).toStrictEqual({ total: 3, completed: 2, failed: 1, cancelled: 0, in_progress: 0 });
      await put(files[3]?.file_id ?? '');
      await process([files[3]?.file_id ?? '']);
      expect(await counts()).toStrictEqual({ total: 3, completed: 1, failed: 1, cancelled: 0, in_progress: 1 });
      await expect(kiln.readBatch.execute({ id: batch_id }, contextOf(uuidv7()))).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    });
  });

  describe('of files to process', () => {
    it('queue the files with bytes, and return the reason for each other file', async () => {
      const [there, missing] = [await stored(), directUpload()];
      await kiln.registerFiles.upload(missing, context);
      const unknown = encodeId('file', uuidv7());
      const batch_id = newBatchId();
      const { jobs, errors } = await process([there.file_id, missing.file_id, unknown], batch_id, {
        variants: ['markdown'],
      });
      expect(
        jobs.map(({ file_id, ready, processing, batch_id }) => ({ file_id, ready, processing, batch_id })),
      ).toStrictEqual([{ file_id: there.file_id, ready: true, processing: { variants: ['markdown'] }, batch_id }]);
      expect(errors.map(({ file_id, code }) => [file_id, code])).toStrictEqual([
        [missing.file_id, 'CONFLICT'],
        [unknown, 'NOT_FOUND'],
      ]);
      const batch = await kiln.readBatch.execute({ id: batch_id }, context);
      expect(batch.files).toStrictEqual([{ id: there.file_id, status: 'processing' }]);
    });

    it('exist and have ended when they have no files', async () => {
      const id = newBatchId();
      expect(await process([], id)).toStrictEqual({ jobs: [], errors: [] });
      expect(await kiln.readBatch.execute({ id }, context)).toMatchObject({ id, total: 0, in_progress: 0, files: [] });
    });

    it('include an upload whose arrival has not been recorded yet', async () => {
      const upload = directUpload();
      await kiln.registerFiles.upload(upload, context);
      await put(upload.file_id);
      expect((await process([upload.file_id])).jobs[0]?.content_type).toBe('text/markdown');
      expect((await kiln.readFiles.get({ id: upload.file_id }, context)).size_bytes).toBe(7);
    });

    it('do not deadlock, in whatever order they name the same files', async () => {
      const ids: string[] = [];
      for (let at = 0; at < 20; at++) ids.push((await stored()).file_id);
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, at) => process(at % 2 ? ids : ids.toReversed(), newBatchId())),
      );
      for (const { errors } of outcomes) expect(errors.length).toBeLessThan(ids.length);
      const total = outcomes.reduce((sum, { jobs, errors }) => sum + jobs.length + errors.length, 0);
      expect(total).toBe(8 * ids.length);
    });

    it('have the same result when repeated with the same jobs', async () => {
      const { file_id } = await stored();
      const input = { batch_id: null, files: [{ file_id, job_id: newJobId() }], processing: {} };
      const [first, second] = [
        await kiln.processFiles.execute(input, context),
        await kiln.processFiles.execute(input, context),
      ];
      expect(second).toStrictEqual(first);
      expect((await kiln.eventsOf(file_id)).filter((type) => type === 'file.processing.requested')).toHaveLength(2);
    });

    it('write nothing when storage does not answer before the deadline', async () => {
      const { file_id, job_id } = await stored();
      const late = { ...context, deadlineAt: Date.now() + 500 };
      const input = { batch_id: null, files: [{ file_id, job_id: newJobId() }], processing: {} };
      await expect(kiln.processFiles.execute(input, late)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect((await kiln.readFiles.get({ id: file_id }, context)).job_id).toBe(job_id);
    });
  });

  it('a file that is processed again refuses its older run, and keeps its variants until they are replaced', async () => {
    const { file_id, job_id } = await stored();
    const fileId = uuidOf('file', file_id);
    const runOf = (job: string, fence: number) => ({ file_id, job_id: job, fence });
    const commit = async (job: string, fence: number, content: string) => {
      const content_key = outputKey(context.tenantId, fileId, uuidOf('job', job), fence, 'markdown.md');
      await kiln.objects.put(content_key, content, { contentType: 'text/markdown' });
      const variant = { type: 'markdown', content_type: 'text/markdown', provider: 'document_extractor' } as const;
      const size_bytes = Buffer.byteLength(content);
      return kiln.runCalls.commit({ ...runOf(job, fence), ...variant, size_bytes, content_key }, context);
    };
    const sizes = async () => (await kiln.readFiles.get({ id: file_id }, context)).variants.map((v) => v.size_bytes);
    const old = job_id ?? '';
    await kiln.runCalls.begin(runOf(old, 3), context);
    await commit(old, 3, 'old');
    const { jobs } = await process([file_id]);
    const newest = jobs[0]?.job_id ?? '';
    expect(await statusOf(file_id)).toBe('processing');
    await expect(commit(old, 3, 'late!')).rejects.toMatchObject({ code: 'SUPERSEDED' });
    await expect(kiln.runCalls.finish(runOf(old, 3), context)).rejects.toMatchObject({ code: 'SUPERSEDED' });
    expect(await sizes()).toStrictEqual([3]);
    expect((await kiln.runCalls.begin(runOf(newest, 1), context)).variants).toStrictEqual([]);
    await commit(newest, 1, 'newest');
    await kiln.runCalls.finish(runOf(newest, 1), context);
    expect([await sizes(), await statusOf(file_id)]).toStrictEqual([[6], 'completed']);
  });

  it('the jobs of a file are numbered in the order of the requests, whatever clock made their ids', async () => {
    const { file_id, job_id } = await stored();
    const unprocessed = await stored({ job_id: null });
    const idAt = (msecs: number) => encodeId('job', uuidv7({ msecs }));
    const numberOf = async (fileId: string, jobId: string) =>
      (await kiln.runCalls.begin({ file_id: fileId, job_id: jobId, fence: 1 }, context)).job_number;
    const again = async (fileId: string, jobId: string) => {
      const files = [{ file_id: fileId, job_id: jobId }];
      await kiln.processFiles.execute({ batch_id: null, files, processing: {} }, context);
      await kiln.processFiles.execute({ batch_id: null, files, processing: {} }, context);
      return numberOf(fileId, jobId);
    };
    const numbers = [
      await numberOf(file_id, job_id ?? ''),
      await again(file_id, idAt(2_000)),
      await again(file_id, idAt(1_000)),
    ];
    expect(numbers).toStrictEqual([1, 2, 3]);
    expect(await again(unprocessed.file_id, idAt(1_000))).toBe(1);
  });

  it('a download has the bytes under their filename; it is refused without bytes, or from another space', async () => {
    const filename = 'ünïted "quotes"; a=b.md';
    const file = await stored({ filename, space: 'mine' });
    const { url } = await kiln.downloadFile.execute({ id: file.file_id }, context);
    const response = await fetch(url);
    expect(await response.text()).toBe('# Hello');
    const disposition = response.headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^attachment; filename="/);
    expect(disposition).toContain(encodeURIComponent(filename));
    const elsewhere = kiln.downloadFile.execute({ id: file.file_id, space: 'other' }, context);
    await expect(elsewhere).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const upload = directUpload();
    await kiln.registerFiles.upload(upload, context);
    await expect(kiln.downloadFile.execute({ id: upload.file_id }, context)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });
});
