// Real: Postgres, the object store. Faked: nothing; a store that is down is one at an address where nobody listens.
import { encodeId, outputKey, sourceKey, uuidOf } from '@kiln/contracts';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { testStorage } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import {
  contextOf,
  directUpload,
  silentLogger,
  startFiles,
  storedFile,
  type FilesHarness,
  UPLOAD_BYTES_MAX,
} from '../test/files-harness.js';
import { RemoveObjects } from './remove-objects.usecase.js';

const missing = { code: 'NOT_FOUND' };

describe('deleting files', () => {
  let kiln: FilesHarness;
  const context = contextOf(uuidv7());
  const { tenantId } = context;
  before(async () => {
    kiln = await startFiles();
  });
  after(() => kiln.close());

  async function register(overrides: Parameters<typeof storedFile>[0] = {}) {
    const input = storedFile(overrides);
    await kiln.createFile.execute(input, context);
    const [fileId, jobId] = [uuidOf('file', input.file_id), uuidOf('job', input.job_id ?? '')];
    const run = { file_id: input.file_id, job_id: input.job_id ?? '', fence: 1 };
    const put = (key: string) => kiln.objects.put(key, 'text', { contentType: 'text/plain' });
    const output = (name: string) => outputKey(tenantId, fileId, jobId, 1, name);
    await put(sourceKey(tenantId, fileId));
    return { id: input.file_id, fileId, jobId, run, put, output };
  }
  const keysOf = async (fileId: string) =>
    (await kiln.objects.list(`${tenantId}/${fileId}/`)).objects.map(({ key }) => key);
  const removalsOf = (fileId: string) =>
    kiln.sql<{ attempts: number; later: boolean }>(
      'select attempts, next_attempt_at > now() as later from object_removals where file_id = $1',
      [fileId],
    );

  it('deletes a file with everything that hangs on it, in all reads, once', async () => {
    const file = await register();
    await kiln.processFile.begin(file.run, context);
    const content_key = file.output('markdown.md');
    await file.put(content_key);
    const variant = {
      type: 'markdown',
      content_type: 'text/markdown',
      size_bytes: 4,
      provider: 'document_extractor',
      content_key,
    } as const;
    await kiln.processFile.commitVariant({ ...file.run, ...variant }, context);
    await kiln.processFile.finish(file.run, context);

    assert.deepEqual(await kiln.deleteFiles.one({ id: file.id }, context), { deleted: true });

    await assert.rejects(kiln.readFiles.get({ id: file.id }, context), missing);
    await assert.rejects(kiln.readVariants.list({ file_id: file.id }, context), missing);
    await assert.rejects(kiln.readVariants.get({ file_id: file.id, type: 'markdown' }, context), missing);
    await assert.rejects(kiln.deleteFiles.one({ id: file.id }, context), missing);
    assert.equal((await kiln.eventsOf(file.id)).filter((type) => type === 'file.deleted').length, 1);
    assert.deepEqual(await kiln.sql('select 1 from variants where file_id = $1', [file.fileId]), []);
    await kiln.removeObjects.round();
    assert.deepEqual(await keysOf(file.fileId), []);
  });

  it('leaves the space, and counts it down', async () => {
    const file = await register({ space: 'counted' });
    await kiln.deleteFiles.one({ id: file.id }, context);
    assert.equal((await kiln.readSpaces.stats({ name: 'counted' }, context)).total_files, 0);
  });

  it('deletes what is there of many, and tells of each other id in the order they were sent', async () => {
    const [first, second] = [await register(), await register()];
    const foreign = await kiln.createFile.execute(storedFile(), contextOf(uuidv7()));
    const [unknown, job] = [encodeId('file', uuidv7()), encodeId('job', uuidv7())];
    const file_ids = [first.id, 'nonsense', first.id, unknown, '', foreign.id, job, second.id, 'nonsense'];
    const { deleted, errors } = await kiln.deleteFiles.many({ file_ids }, context);
    assert.equal(deleted, 2);
    assert.deepEqual(
      errors.map(({ file_id, code }) => [file_id, code]),
      ['nonsense', unknown, '', foreign.id, job].map((id) => [id, 'NOT_FOUND']),
    );
    assert.equal(new Set(errors.map(({ message }) => message)).size, 1, 'a foreign id is told like an unknown one');
  });

  it('deletes each file once when many ask for the same ones at once', async () => {
    const files = await Promise.all(Array.from({ length: 12 }, () => register()));
    const ids = files.map(({ id }) => id);
    const asks = [ids, ids.toReversed(), ids, ids.toReversed()].map((file_ids) =>
      kiln.deleteFiles.many({ file_ids }, context),
    );
    const answers = await Promise.all(asks);
    assert.equal(
      answers.reduce((sum, { deleted }) => sum + deleted, 0),
      ids.length,
    );
  });

  it('gives a run of the file nothing to write to any more', async () => {
    const file = await register();
    await kiln.processFile.begin(file.run, context);
    await kiln.deleteFiles.one({ id: file.id }, context);
    const content_key = file.output('markdown.md');
    await file.put(content_key);
    const variant = {
      type: 'markdown',
      content_type: 'text/markdown',
      size_bytes: 4,
      provider: 'document_extractor',
      content_key,
    } as const;
    await assert.rejects(kiln.processFile.commitVariant({ ...file.run, ...variant }, context), { code: 'SUPERSEDED' });
    await assert.rejects(kiln.processFile.finish(file.run, context), { code: 'SUPERSEDED' });
    await assert.rejects(kiln.processFile.begin({ ...file.run, fence: 2 }, context), { code: 'SUPERSEDED' });
  });

  it('removes what a run or a signed URL has written after that, too', async () => {
    const running = await register();
    await kiln.processFile.begin(running.run, context);
    const upload = directUpload();
    await kiln.createUpload.execute(upload, context);
    const uploading = uuidOf('file', upload.file_id);
    await kiln.deleteFiles.many({ file_ids: [running.id, upload.file_id] }, context);
    await kiln.removeObjects.round();
    await running.put(running.output('late.md'));
    await running.put(sourceKey(tenantId, uploading));
    for (const fileId of [running.fileId, uploading]) {
      assert.deepEqual(
        (await removalsOf(fileId)).map(({ later }) => later),
        [true],
        'removed once more later',
      );
      await kiln.sql('update object_removals set next_attempt_at = now() where file_id = $1', [fileId]);
    }
    await kiln.removeObjects.round();
    for (const fileId of [running.fileId, uploading]) {
      assert.deepEqual(await keysOf(fileId), []);
      assert.deepEqual(await removalsOf(fileId), []);
    }
  });

  it('removes the objects once storage is back when it was down', async () => {
    const file = await register();
    await kiln.sql(`update files set updated_at = now() - interval '2 h' where id = $1`, [file.fileId]);
    const storage = await testStorage();
    const down = createS3ObjectStore({ ...storage, endpoint: 'http://127.0.0.1:9', forcePathStyle: true });
    const counters = { objects: { inc: () => assert.fail() }, bytes: { inc: () => assert.fail() } };
    const cut = new RemoveObjects(kiln.removals, down, counters, silentLogger, UPLOAD_BYTES_MAX);
    await kiln.deleteFiles.one({ id: file.id }, context);
    await cut.round();
    down.close();
    const [waiting] = await removalsOf(file.fileId);
    assert.deepEqual([waiting?.attempts, waiting?.later], [1, true]);
    assert.ok((await kiln.removals.waiting()).oldestSeconds >= 0);
    assert.equal((await keysOf(file.fileId)).length, 1);
    await kiln.sql('update object_removals set next_attempt_at = now() where file_id = $1', [file.fileId]);
    await kiln.removeObjects.round();
    assert.deepEqual(await keysOf(file.fileId), []);
    assert.deepEqual(await removalsOf(file.fileId), []);
  });

  it('is removed by one of many removers at a time, and by another when that one dies', async () => {
    const files = await Promise.all(Array.from({ length: 30 }, () => register()));
    await kiln.deleteFiles.many({ file_ids: files.map(({ id }) => id) }, context);
    const claims = await Promise.all(Array.from({ length: 5 }, () => kiln.removals.claimDue(10, 120)));
    const claimed = claims.flat().map(({ fileId }) => fileId);
    assert.equal(new Set(claimed).size, claimed.length);
    const [dead] = claims.flat();
    assert.ok(dead);
    await kiln.sql('update object_removals set next_attempt_at = now() where file_id = $1', [dead.fileId]);
    const [again] = await kiln.removals.claimDue(1, 120);
    assert.equal(again?.fileId, dead.fileId);
    await kiln.removals.settle([dead]);
    assert.equal((await removalsOf(dead.fileId)).length, 1, 'who lost the lease settles nothing');
  });

  it('removes of a file that was processed again what nothing points to any more, and nothing else', async () => {
    const file = await register();
    const commit = async (job_id: string, fence: number, type: 'markdown' | 'metadata') => {
      const content_key = outputKey(tenantId, file.fileId, uuidOf('job', job_id), fence, `${type}.txt`);
      await file.put(content_key);
      const variant = { type, content_type: 'text/plain', size_bytes: 4, provider: 'document_extractor', content_key };
      await kiln.processFile.commitVariant({ file_id: file.id, job_id, fence, ...variant }, context);
      return content_key;
    };
    const dueIn = async () => {
      const text = `select extract(epoch from next_attempt_at - now())::float8 as seconds from object_removals where file_id = $1`;
      return (await kiln.sql<{ seconds: number }>(text, [file.fileId])).map(({ seconds }) => Math.round(seconds / 60));
    };
    await kiln.processFile.begin(file.run, context);
    await commit(file.run.job_id, 1, 'markdown');
    const kept = await commit(file.run.job_id, 1, 'metadata');
    await kiln.processFile.finish(file.run, context);
    assert.deepEqual(await dueIn(), [], 'a single run leaves nothing to look for');
    await file.put(file.output('extraction.json'));

    const again = { file_id: file.id, job_id: encodeId('job', uuidv7()) };
    await kiln.processFiles.execute({ files: [again], batch_id: null, processing: {} }, context);
    assert.deepEqual(await dueIn(), [24 * 60]);
    await kiln.processFile.begin({ ...again, fence: 1 }, context);
    const lost = outputKey(tenantId, file.fileId, uuidOf('job', again.job_id), 1, 'half.md');
    await file.put(lost);
    await kiln.processFile.begin({ ...again, fence: 2 }, context);
    const current = await commit(again.job_id, 2, 'markdown');
    const beside = outputKey(tenantId, file.fileId, uuidOf('job', again.job_id), 2, 'chunks.ndjson');
    await file.put(beside);
    const sweep = async () => {
      await kiln.sql('update object_removals set next_attempt_at = now() where file_id = $1', [file.fileId]);
      await kiln.removeObjects.round();
    };
    await kiln.processFile.finish({ ...again, fence: 2 }, context);
    assert.deepEqual(await dueIn(), [15]);
    await sweep();
    const source = sourceKey(tenantId, file.fileId);
    assert.deepEqual((await keysOf(file.fileId)).toSorted(), [source, kept, current, beside].toSorted());
  });

  it('never removes the objects of a file that exists', async () => {
    const file = await register();
    await kiln.removals.addOrphans([{ tenantId, fileId: file.fileId, dueAt: new Date(0) }]);
    await kiln.removeObjects.round();
    assert.deepEqual(await keysOf(file.fileId), [sourceKey(tenantId, file.fileId)]);
  });
});
