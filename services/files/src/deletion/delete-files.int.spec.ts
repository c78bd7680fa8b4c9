// Real: Postgres, the object store. Faked: nothing; an outage of the store is an address without a server.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, outputKey, sourceKey, uuidOf } from '@kiln/contracts';
import { createS3ObjectStore } from '@kiln/storage/s3';
import { testStorage } from '@kiln/testing';
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
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  async function register(overrides: Parameters<typeof storedFile>[0] = {}) {
    const input = storedFile(overrides);
    await kiln.registerFiles.stored(input, context);
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
      `select attempts, due_at > requested_at + interval '1 s' as later from object_removals where file_id = $1`,
      [fileId],
    );

  it('removes a file and everything that belongs to it from every read, once', async () => {
    const file = await register();
    await kiln.runCalls.begin(file.run, context);
    const content_key = file.output('markdown.md');
    await file.put(content_key);
    const variant = {
      type: 'markdown',
      content_type: 'text/markdown',
      size_bytes: 4,
      provider: 'document_extractor' as const,
      content_key,
    } as const;
    await kiln.runCalls.commit({ ...file.run, ...variant }, context);
    await kiln.runCalls.finish(file.run, context);

    expect(await kiln.deleteFiles.one({ id: file.id }, context)).toStrictEqual({ deleted: true });

    await expect(kiln.readFiles.get({ id: file.id }, context)).rejects.toMatchObject(missing);
    await expect(kiln.readVariants.list({ file_id: file.id }, context)).rejects.toMatchObject(missing);
    await expect(kiln.readVariants.get({ file_id: file.id, type: 'markdown' }, context)).rejects.toMatchObject(missing);
    await expect(kiln.deleteFiles.one({ id: file.id }, context)).rejects.toMatchObject(missing);
    expect((await kiln.eventsOf(file.id)).filter((type) => type === 'file.deleted')).toHaveLength(1);
    expect(await kiln.sql('select 1 from variants where file_id = $1', [file.fileId])).toStrictEqual([]);
    await kiln.removeObjects.round();
    expect(await keysOf(file.fileId)).toStrictEqual([]);
  });

  it('keeps the space, and reduces its counts', async () => {
    const file = await register({ space: 'counted' });
    await kiln.deleteFiles.one({ id: file.id }, context);
    expect((await kiln.readSpaces.stats({ name: 'counted' }, context)).total_files).toBe(0);
  });

  it('deletes those of many ids that exist, and reports every other id in the order of the request', async () => {
    const [first, second] = [await register(), await register()];
    const foreign = await kiln.registerFiles.stored(storedFile(), contextOf(uuidv7()));
    const [unknown, job] = [encodeId('file', uuidv7()), encodeId('job', uuidv7())];
    const file_ids = [first.id, 'nonsense', first.id, unknown, '', foreign.id, job, second.id, 'nonsense'];
    const { deleted, errors } = await kiln.deleteFiles.many({ file_ids }, context);
    expect(deleted).toBe(2);
    expect(errors.map(({ file_id, code }) => [file_id, code])).toStrictEqual(
      ['nonsense', unknown, '', foreign.id, job].map((id) => [id, 'NOT_FOUND']),
    );
    // Another tenant's id gets the same error as an unknown one.
    expect(new Set(errors.map(({ message }) => message)).size).toBe(1);
  });

  it('deletes each file once when concurrent requests name the same files', async () => {
    const files = await Promise.all(Array.from({ length: 12 }, () => register()));
    const ids = files.map(({ id }) => id);
    const asks = [ids, ids.toReversed(), ids, ids.toReversed()].map((file_ids) =>
      kiln.deleteFiles.many({ file_ids }, context),
    );
    const answers = await Promise.all(asks);
    expect(answers.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(ids.length);
  });

  it('refuses every later write of a run of the file', async () => {
    const file = await register();
    await kiln.runCalls.begin(file.run, context);
    await kiln.deleteFiles.one({ id: file.id }, context);
    const content_key = file.output('markdown.md');
    await file.put(content_key);
    const variant = {
      type: 'markdown',
      content_type: 'text/markdown',
      size_bytes: 4,
      provider: 'document_extractor' as const,
      content_key,
    } as const;
    await expect(kiln.runCalls.commit({ ...file.run, ...variant }, context)).rejects.toMatchObject({
      code: 'SUPERSEDED',
    });
    await expect(kiln.runCalls.finish(file.run, context)).rejects.toMatchObject({ code: 'SUPERSEDED' });
    await expect(kiln.runCalls.begin({ ...file.run, fence: 2 }, context)).rejects.toMatchObject({ code: 'SUPERSEDED' });
  });

  it('also removes objects that a run or a signed URL writes after the deletion', async () => {
    const running = await register();
    await kiln.runCalls.begin(running.run, context);
    const upload = directUpload();
    await kiln.registerFiles.upload(upload, context);
    const uploading = uuidOf('file', upload.file_id);
    await kiln.deleteFiles.many({ file_ids: [running.id, upload.file_id] }, context);
    await kiln.removeObjects.round();
    await running.put(running.output('late.md'));
    await running.put(sourceKey(tenantId, uploading));
    for (const fileId of [running.fileId, uploading]) {
      // The objects are removed once more later.
      expect((await removalsOf(fileId)).map(({ later }) => later)).toStrictEqual([true]);
      await kiln.sql(`update object_removals set due_at = now() - interval '1 minute' where file_id = $1`, [fileId]);
    }
    await kiln.removeObjects.round();
    for (const fileId of [running.fileId, uploading]) {
      expect(await keysOf(fileId)).toStrictEqual([]);
      expect(await removalsOf(fileId)).toStrictEqual([]);
    }
  });

  it('removes the objects after an outage of storage', async () => {
    const file = await register();
    await kiln.sql(`update files set updated_at = now() - interval '2 h' where id = $1`, [file.fileId]);
    const storage = await testStorage();
    const down = createS3ObjectStore({ ...storage, endpoint: 'http://127.0.0.1:9', forcePathStyle: true });
    const counters = {
      objects: {
        add: () => {
          throw new Error('unexpected');
        },
      },
      bytes: {
        add: () => {
          throw new Error('unexpected');
        },
      },
    };
    const cut = new RemoveObjects(kiln.removals, kiln.abortParts, down, counters, silentLogger, UPLOAD_BYTES_MAX);
    await kiln.deleteFiles.one({ id: file.id }, context);
    await cut.round();
    down.close();
    const [waiting] = await removalsOf(file.fileId);
    expect([waiting?.attempts, waiting?.later]).toStrictEqual([1, true]);
    expect((await kiln.removals.waiting()).oldestSeconds).toBeGreaterThanOrEqual(0);
    expect(await keysOf(file.fileId)).toHaveLength(1);
    await kiln.sql(`update object_removals set due_at = now() - interval '1 minute' where file_id = $1`, [file.fileId]);
    await kiln.removeObjects.round();
    expect(await keysOf(file.fileId)).toStrictEqual([]);
    expect(await removalsOf(file.fileId)).toStrictEqual([]);
  });

  it('removes objects in one process at a time, and in another one when that process dies', async () => {
    const files = await Promise.all(Array.from({ length: 30 }, () => register()));
    await kiln.deleteFiles.many({ file_ids: files.map(({ id }) => id) }, context);
    const claims = await Promise.all(Array.from({ length: 5 }, () => kiln.removals.claimDue(10, 120)));
    const claimed = claims.flat().map(({ fileId }) => fileId);
    expect(new Set(claimed).size).toBe(claimed.length);
    const [dead] = claims.flat();
    if (!dead) throw new Error('no dead');
    await kiln.sql(`update object_removals set due_at = now() - interval '1 minute' where file_id = $1`, [dead.fileId]);
    const [again] = await kiln.removals.claimDue(1, 120);
    expect(again?.fileId).toBe(dead.fileId);
    await kiln.removals.complete([dead]);
    // A remover that lost its lease completes nothing.
    expect(await removalsOf(dead.fileId)).toHaveLength(1);
  });

  it('removes exactly the superseded objects of a file that was processed again', async () => {
    const file = await register();
    const commit = async (job_id: string, fence: number, type: 'markdown' | 'metadata') => {
      const content_key = outputKey(tenantId, file.fileId, uuidOf('job', job_id), fence, `${type}.txt`);
      await file.put(content_key);
      const variant = {
        type,
        content_type: 'text/plain',
        size_bytes: 4,
        provider: 'document_extractor' as const,
        content_key,
      };
      await kiln.runCalls.commit({ file_id: file.id, job_id, fence, ...variant }, context);
      return content_key;
    };
    const dueIn = async () => {
      const text = `select extract(epoch from due_at - now())::float8 as seconds from object_removals where file_id = $1`;
      return (
        (await kiln.sql<{ seconds: number }>(text, [file.fileId]))
          // A busy machine may need minutes between the write and this look.
          .map(({ seconds }) => Math.ceil(seconds / 300) * 5)
      );
    };
    await kiln.runCalls.begin(file.run, context);
    await commit(file.run.job_id, 1, 'markdown');
    const kept = await commit(file.run.job_id, 1, 'metadata');
    await kiln.runCalls.finish(file.run, context);
    // A single run leaves no superseded objects.
    expect(await dueIn()).toStrictEqual([]);
    await file.put(file.output('extraction.json'));

    const again = { file_id: file.id, job_id: encodeId('job', uuidv7()) };
    await kiln.processFiles.execute({ files: [again], batch_id: null, processing: {} }, context);
    expect(await dueIn()).toStrictEqual([24 * 60]);
    await kiln.runCalls.begin({ ...again, fence: 1 }, context);
    const lost = outputKey(tenantId, file.fileId, uuidOf('job', again.job_id), 1, 'half.md');
    await file.put(lost);
    await kiln.runCalls.begin({ ...again, fence: 2 }, context);
    const current = await commit(again.job_id, 2, 'markdown');
    const beside = outputKey(tenantId, file.fileId, uuidOf('job', again.job_id), 2, 'chunks.ndjson');
    await file.put(beside);
    const sweep = async () => {
      await kiln.sql(`update object_removals set due_at = now() - interval '1 minute' where file_id = $1`, [
        file.fileId,
      ]);
      await kiln.removeObjects.round();
    };
    await kiln.runCalls.finish({ ...again, fence: 2 }, context);
    expect(await dueIn()).toStrictEqual([15]);
    await sweep();
    const source = sourceKey(tenantId, file.fileId);
    expect((await keysOf(file.fileId)).toSorted()).toStrictEqual([source, kept, current, beside].toSorted());
  });

  it('removes all objects of a run whose variants are all stored in their rows', async () => {
    const file = await register();
    await kiln.runCalls.begin(file.run, context);
    await file.put(file.output('chunks.ndjson'));
    const variant = { type: 'markdown', content_type: 'text/markdown', provider: 'document_extractor' } as const;
    const variants = [{ ...variant, size_bytes: 4, content: 'text', content_key: null }];
    await kiln.runCalls.finish({ ...file.run, variants }, context);
    await kiln.removals.addSuperseded(kiln.database, tenantId, [file.fileId]);
    await kiln.sql(`update object_removals set due_at = now() - interval '1 minute' where file_id = $1`, [file.fileId]);
    await kiln.removeObjects.round();
    expect(await keysOf(file.fileId)).toStrictEqual([sourceKey(tenantId, file.fileId)]);
  });

  it('never removes the objects of a file that exists', async () => {
    const file = await register();
    await kiln.removals.addOrphans([{ tenantId, fileId: file.fileId, dueAt: new Date(0) }]);
    await kiln.removeObjects.round();
    expect(await keysOf(file.fileId)).toStrictEqual([sourceKey(tenantId, file.fileId)]);
  });
});
