// Real: Postgres, the object store. Faked: nothing.
import { encodeId, outputKey, sourceKey, uuidOf } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, directUpload, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';

const newBatchId = () => encodeId('batch', uuidv7());
const newJobId = () => encodeId('job', uuidv7());

describe('batches', () => {
  let kiln: FilesHarness;
  const context = contextOf(uuidv7());
  before(async () => {
    kiln = await startFiles();
  });
  after(() => kiln.close());

  const put = (file_id: string, content = '# Hello') =>
    kiln.objects.put(sourceKey(context.tenantId, uuidOf('file', file_id)), content, { contentType: 'text/markdown' });

  async function stored(overrides: Parameters<typeof storedFile>[0] = {}) {
    const input = storedFile(overrides);
    await kiln.createFile.execute(input, context);
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
    it('are registered in the order asked, each with its URL and its facts, also when asked twice at once', async () => {
      const files = Array.from({ length: 50 }, (_, at) => directUpload({ filename: `${at}.md`, space: `s${at % 3}` }));
      const input = { batch_id: newBatchId(), files };
      const register = () => kiln.createUploads.execute(input, context);
      const [first, second] = await Promise.all([register(), register()]);
      for (const { files: created } of [first, second, await register()]) {
        assert.deepEqual(
          created.map(({ id, filename, job_id }) => [id, filename, job_id]),
          files.map(({ file_id, filename, job_id }) => [file_id, filename, job_id]),
        );
      }
      const [one] = files;
      assert.ok(one);
      assert.deepEqual(await kiln.eventsOf(one.file_id), ['file.created', 'file.processing.requested']);
      assert.equal((await kiln.readBatch.execute({ id: input.batch_id }, context)).total, 50);
      const { upload_url, upload_method, upload_headers } = first.files[7] ?? assert.fail();
      const sent = await fetch(upload_url, { method: upload_method, headers: upload_headers, body: 'x' });
      assert.equal(sent.status, 200);
      const id = first.files[7]?.id ?? '';
      await kiln.receiveUpload.execute(context.tenantId, uuidOf('file', id));
      assert.equal(await statusOf(id), 'uploaded');
    });

    it('with the id of another file are refused as a whole, and change nothing', async () => {
      const [taken, free] = [await stored(), directUpload()];
      const files = [free, directUpload({ file_id: taken.file_id })];
      await assert.rejects(kiln.createUploads.execute({ batch_id: newBatchId(), files }, context), {
        code: 'CONFLICT',
      });
      assert.equal((await kiln.readFiles.get({ id: taken.file_id }, context)).filename, taken.filename);
    });

    it('count their files as they are: done without processing, failed, deleted, processed again', async () => {
      const files = [
        directUpload({ job_id: null, skip_processing: true }),
        directUpload(),
        directUpload(),
        directUpload(),
      ];
      const [skipped, failed, deleted, completed] = files.map(({ file_id }) => uuidOf('file', file_id));
      const batch_id = newBatchId();
      await kiln.createUploads.execute({ batch_id, files }, context);
      const counts = async () => {
        const { files: shown, id: _id, ...numbers } = await kiln.readBatch.execute({ id: batch_id }, context);
        assert.equal(shown.length, numbers.total);
        return numbers;
      };
      assert.deepEqual(await counts(), { total: 4, completed: 0, failed: 0, in_progress: 4 });
      const set = (id: string | undefined, status: string) =>
        kiln.sql('update files set status = $2 where id = $1', [id, status]);
      await set(skipped, 'uploaded');
      await set(failed, 'failed');
      await set(completed, 'completed');
      await kiln.sql('delete from files where id = $1', [deleted]);
      assert.deepEqual(await counts(), { total: 3, completed: 2, failed: 1, in_progress: 0 });
      await put(files[3]?.file_id ?? '');
      await process([files[3]?.file_id ?? '']);
      assert.deepEqual(await counts(), { total: 3, completed: 1, failed: 1, in_progress: 1 });
      await assert.rejects(kiln.readBatch.execute({ id: batch_id }, contextOf(uuidv7())), { code: 'NOT_FOUND' });
    });
  });

  describe('of files to process', () => {
    it('queue those whose bytes are there, and say why of the others', async () => {
      const [there, missing] = [await stored(), directUpload()];
      await kiln.createUpload.execute(missing, context);
      const unknown = encodeId('file', uuidv7());
      const batch_id = newBatchId();
      const { jobs, errors } = await process([there.file_id, missing.file_id, unknown], batch_id, {
        variants: ['markdown'],
      });
      assert.deepEqual(
        jobs.map(({ file_id, ready, processing, batch_id }) => ({ file_id, ready, processing, batch_id })),
        [{ file_id: there.file_id, ready: true, processing: { variants: ['markdown'] }, batch_id }],
      );
      assert.deepEqual(
        errors.map(({ file_id, code }) => [file_id, code]),
        [
          [missing.file_id, 'CONFLICT'],
          [unknown, 'NOT_FOUND'],
        ],
      );
      const batch = await kiln.readBatch.execute({ id: batch_id }, context);
      assert.deepEqual(batch.files, [{ id: there.file_id, status: 'processing' }]);
    });

    it('take an upload whose arrival nobody has noticed yet', async () => {
      const upload = directUpload();
      await kiln.createUpload.execute(upload, context);
      await put(upload.file_id);
      assert.equal((await process([upload.file_id])).jobs[0]?.content_type, 'text/markdown');
      assert.equal((await kiln.readFiles.get({ id: upload.file_id }, context)).size_bytes, 7);
    });

    it('never wait for each other, in whatever order they name the same files', async () => {
      const ids: string[] = [];
      for (let at = 0; at < 20; at++) ids.push((await stored()).file_id);
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, at) => process(at % 2 ? ids : ids.toReversed(), newBatchId())),
      );
      for (const { errors } of outcomes) assert.ok(errors.length < ids.length);
      const total = outcomes.reduce((sum, { jobs, errors }) => sum + jobs.length + errors.length, 0);
      assert.equal(total, 8 * ids.length);
    });

    it('ask twice with the same job as once', async () => {
      const { file_id } = await stored();
      const input = { batch_id: null, files: [{ file_id, job_id: newJobId() }], processing: {} };
      const [first, second] = [
        await kiln.processFiles.execute(input, context),
        await kiln.processFiles.execute(input, context),
      ];
      assert.deepEqual(second, first);
      assert.equal((await kiln.eventsOf(file_id)).filter((type) => type === 'file.processing.requested').length, 2);
    });

    it('write nothing when storage can not be asked in the time there is', async () => {
      const { file_id, job_id } = await stored();
      const late = { ...context, deadlineAt: Date.now() + 500 };
      const input = { batch_id: null, files: [{ file_id, job_id: newJobId() }], processing: {} };
      await assert.rejects(kiln.processFiles.execute(input, late), { code: 'UNAVAILABLE' });
      assert.equal((await kiln.readFiles.get({ id: file_id }, context)).job_id, job_id);
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
      return kiln.processFile.commitVariant({ ...runOf(job, fence), ...variant, size_bytes, content_key }, context);
    };
    const sizes = async () => (await kiln.readFiles.get({ id: file_id }, context)).variants.map((v) => v.size_bytes);
    const old = job_id ?? '';
    await kiln.processFile.begin(runOf(old, 3), context);
    await commit(old, 3, 'old');
    const { jobs } = await process([file_id]);
    const newest = jobs[0]?.job_id ?? '';
    assert.equal(await statusOf(file_id), 'processing');
    await assert.rejects(commit(old, 3, 'late!'), { code: 'SUPERSEDED' });
    await assert.rejects(kiln.processFile.finish(runOf(old, 3), context), { code: 'SUPERSEDED' });
    assert.deepEqual(await sizes(), [3]);
    assert.deepEqual((await kiln.processFile.begin(runOf(newest, 1), context)).variants, []);
    await commit(newest, 1, 'newest');
    await kiln.processFile.finish(runOf(newest, 1), context);
    assert.deepEqual([await sizes(), await statusOf(file_id)], [[6], 'completed']);
  });

  it('numbers the jobs of a file in the order they were asked for, whatever the clock that made their ids', async () => {
    const { file_id, job_id } = await stored();
    const unprocessed = await stored({ job_id: null });
    const idAt = (msecs: number) => encodeId('job', uuidv7({ msecs }));
    const numberOf = async (fileId: string, jobId: string) =>
      (await kiln.processFile.begin({ file_id: fileId, job_id: jobId, fence: 1 }, context)).job_number;
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
    assert.deepEqual(numbers, [1, 2, 3]);
    assert.equal(await again(unprocessed.file_id, idAt(1_000)), 1);
  });

  it('a download offers the bytes under their name; without bytes, or from another space, there is none', async () => {
    const filename = 'ünïted "quotes"; a=b.md';
    const file = await stored({ filename, space: 'mine' });
    const { url } = await kiln.downloadFile.execute({ id: file.file_id }, context);
    const response = await fetch(url);
    assert.equal(await response.text(), '# Hello');
    const disposition = response.headers.get('content-disposition') ?? '';
    assert.match(disposition, /^attachment; filename="/);
    assert.ok(disposition.includes(encodeURIComponent(filename)), disposition);
    const elsewhere = kiln.downloadFile.execute({ id: file.file_id, space: 'other' }, context);
    await assert.rejects(elsewhere, { code: 'NOT_FOUND' });
    const upload = directUpload();
    await kiln.createUpload.execute(upload, context);
    await assert.rejects(kiln.downloadFile.execute({ id: upload.file_id }, context), { code: 'CONFLICT' });
  });
});
