// Real: Postgres, the object store. Faked: the gateway, by calls of the use cases; the passing of time, by changing when a removal is due.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, sourceKey, uuidOf } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { RecordFailure } from '../processing/record-failure.usecase.js';
import {
  contextOf,
  directUpload,
  storedFile,
  startFiles,
  type FilesHarness,
  type NewStoredFile,
} from '../test/files-harness.js';
import { FileContentStore } from './file-content.store.js';

const CONFLICT = { code: 'CONFLICT' };

describe('an upload with on_conflict=replace', () => {
  let kiln: FilesHarness;
  const context = contextOf(uuidv7());
  const { tenantId } = context;
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  const sha256Of = (text: string) => text.repeat(64).slice(0, 64);
  const keyOf = (id: string) => sourceKey(tenantId, uuidOf('file', id));
  /** Stores the bytes and registers them, as the gateway does. */
  async function upload(text: string, fields: Partial<NewStoredFile> = {}) {
    const input = storedFile({ sha256: sha256Of(text), size_bytes: text.length, ...fields });
    await kiln.objects.put(keyOf(input.file_id), text, { contentType: 'text/markdown' });
    const created = await kiln.registerFiles.stored(input, context);
    return { input, created };
  }
  const replacing = (externalId: string) => ({ external_id: externalId, on_conflict: 'replace' as const });
  const read = (id: string) => kiln.readFiles.get({ id }, context);
  const download = async (id: string) => {
    const { url } = await kiln.downloadFile.execute({ id }, context);
    return (await fetch(url)).text();
  };
  async function process({ id, job_id }: { id: string; job_id: string | null }) {
    const run = { file_id: id, job_id: job_id ?? '', fence: 1 };
    const begun = await kiln.runCalls.begin(run, context);
    const markdown = {
      type: 'markdown' as const,
      content: `of ${job_id}`,
      content_key: null,
      content_type: 'text/markdown',
      size_bytes: 10,
      provider: 'document_extractor' as const,
    };
    await kiln.runCalls.finish({ ...run, variants: [markdown] }, context);
    return begun;
  }
  const removeDue = async () => {
    await kiln.sql('update object_removals set due_at = now()');
    await kiln.removeObjects.round();
  };

  it('creates the file if none has the external id', async () => {
    const { input, created } = await upload('a', replacing('new'));
    expect(created.id).toBe(input.file_id);
    expect(await kiln.eventsOf(created.id)).toStrictEqual(['file.created', 'file.processing.requested']);
  });

  it('gives the file its bytes, name and type, and a new job; the id, the space and the metadata stay', async () => {
    const first = await upload('first', { external_id: 'kept', space: 'letters', metadata: { year: '2025' } });
    await process(first.created);
    const before = await read(first.created.id);
    const { space: _space, metadata: _metadata, ...fields } = storedFile();
    const second = { ...fields, filename: 'second.txt', content_type: 'text/plain', ...replacing('kept') };
    await kiln.objects.put(keyOf(second.file_id), 'second', { contentType: 'text/plain' });
    const replaced = await kiln.registerFiles.stored({ ...second, sha256: sha256Of('b'), size_bytes: 6 }, context);
    expect(replaced).toMatchObject({ id: first.created.id, job_id: second.job_id, status: 'uploaded' });
    expect(await read(replaced.id)).toStrictEqual({
      ...before,
      filename: 'second.txt',
      content_type: 'text/plain',
      size_bytes: 6,
      sha256: sha256Of('b'),
      job_id: second.job_id,
      status: 'uploaded',
      updated_at: expect.any(String),
      variants: [],
    });
    expect(await download(replaced.id)).toBe('second');
    const events = await kiln.eventsOf(replaced.id);
    expect(events.slice(-3)).toStrictEqual(['file.replaced', 'file.updated', 'file.processing.requested']);
    expect(await process(replaced)).toMatchObject({ source_key: keyOf(second.file_id), job_number: 2 });
  });

  it('sets the space and the metadata if it has them', async () => {
    await upload('first', { external_id: 'moved', space: 'letters', metadata: { year: '2025' } });
    const { created } = await upload('second', { ...replacing('moved'), space: 'archive', metadata: {} });
    expect(await read(created.id)).toMatchObject({ space: 'archive', metadata: {} });
  });

  it('changes nothing when its space was deleted meanwhile', async () => {
    const { created } = await upload('first', { external_id: 'without space' });
    await process(created);
    const before = await read(created.id);
    const [row] = await kiln.files.findMany(tenantId, [uuidOf('file', created.id)]);
    if (!row) throw new Error('no file');
    const contents = new FileContentStore();
    const replaced = contents.replace(
      kiln.database,
      { ...row, source_id: uuidv7(), space: 'deleted' },
      { isSpaceHeld: true },
    );
    expect(await replaced).toBeNull();
    expect(await read(created.id)).toStrictEqual(before);
  });

  it('changes nothing when its space was deleted meanwhile, and another of the name made', async () => {
    const { created } = await upload('first', { external_id: 'in a former space', space: 'again' });
    const [row] = await kiln.files.findMany(tenantId, [uuidOf('file', created.id)]);
    if (!row) throw new Error('no file');
    await kiln.deleteSpace.execute({ name: 'again', cascade: true }, context);
    await kiln.spaceId(tenantId, 'again');
    const contents = new FileContentStore();
    const replaced = contents.replace(kiln.database, { ...row, source_id: uuidv7() }, { isSpaceHeld: false });
    expect(await replaced).toBeNull();
    await expect(read(created.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('with skip_processing leaves the file without variants', async () => {
    const first = await upload('first', { external_id: 'unprocessed' });
    await process(first.created);
    const { created } = await upload('second', { ...replacing('unprocessed'), job_id: null });
    expect(await read(created.id)).toMatchObject({ status: 'uploaded', job_id: null, variants: [] });
  });

  it('refuses the runs of the former job', async () => {
    const first = await upload('first', { external_id: 'running' });
    const run = { file_id: first.created.id, job_id: first.created.job_id ?? '', fence: 1 };
    await kiln.runCalls.begin(run, context);
    await upload('second', replacing('running'));
    await expect(kiln.runCalls.finish(run, context)).rejects.toMatchObject({ code: 'SUPERSEDED' });
    await expect(kiln.runCalls.begin({ ...run, fence: 2 }, context)).rejects.toMatchObject({ code: 'SUPERSEDED' });
  });

  it('fails the job of a former upload whose bytes have not arrived, and only that job', async () => {
    const waiting = { ...directUpload(), external_id: 'not yet arrived' };
    const { file_id, job_id } = waiting;
    await kiln.registerFiles.upload(waiting, context);
    const { input } = await upload('second', replacing('not yet arrived'));
    const failedJobs = async () =>
      (
        await kiln.sql<{ job_id: string }>(
          `select envelope::jsonb #>> '{data,job_id}' as job_id from outbox
           where type = 'file.upload.failed' and envelope::jsonb #>> '{data,file_id}' = $1`,
          [file_id],
        )
      ).map((row) => row.job_id);
    expect(await failedJobs()).toStrictEqual([job_id]);
    const failure = { ...context, fileId: uuidOf('file', file_id), jobId: uuidOf('job', job_id ?? ''), fence: 0 };
    await kiln.database.transaction((transaction) => new RecordFailure(kiln.fileJobs).execute(transaction, failure));
    expect(await read(file_id)).toMatchObject({ status: 'uploaded', job_id: input.job_id });
    await upload('third', replacing('not yet arrived'));
    expect(await failedJobs()).toStrictEqual([job_id]);
  });

  it('has one effect, however often it is registered, also concurrently', async () => {
    const { created } = await upload('first', { external_id: 'repeated' });
    const { input } = await upload('second', replacing('repeated'));
    const events = await kiln.eventsOf(created.id);
    const repeats = await Promise.all([1, 2, 3].map(() => kiln.registerFiles.stored(input, context)));
    expect(new Set(repeats.map(({ id }) => id))).toStrictEqual(new Set([created.id]));
    expect(await kiln.eventsOf(created.id)).toStrictEqual(events);
  });

  it('never makes two files of one external id, when several come at once', async () => {
    const inputs = Array.from({ length: 6 }, () => storedFile({ ...replacing('raced'), sha256: sha256Of(uuidv7()) }));
    const results = await Promise.all(inputs.map((input) => kiln.registerFiles.stored(input, context)));
    expect(new Set(results.map(({ id }) => id)).size).toBe(1);
    const { files } = await kiln.readFiles.list(
      { external_id: 'raced', limit: 10, sort_by: 'created_at', sort_order: 'desc' },
      context,
    );
    expect(files).toHaveLength(1);
  });

  it('that was replaced itself cannot come back', async () => {
    const first = await upload('first', { external_id: 'outdated' });
    const second = await upload('second', replacing('outdated'));
    await upload('third', replacing('outdated'));
    for (const { input } of [first, second]) {
      const late = kiln.registerFiles.stored({ ...input, on_conflict: 'replace' }, context);
      await expect(late).rejects.toMatchObject(CONFLICT);
    }
    expect(await download(first.created.id)).toBe('third');
  });

  it('does not become another file when its external id has moved to one', async () => {
    const { created } = await upload('first', { external_id: 'before' });
    const { input } = await upload('second', replacing('before'));
    await kiln.updateFile.execute({ id: created.id, changes: { external_id: 'after' } }, context);
    await expect(kiln.registerFiles.stored(input, context)).rejects.toMatchObject(CONFLICT);
    expect(await download(created.id)).toBe('second');
  });

  it('removes the former bytes and variants from storage, and keeps its own', async () => {
    const first = await upload('first', { external_id: 'stored' });
    const second = await upload('second', replacing('stored'));
    await removeDue();
    const third = await upload('third', replacing('stored'));
    await removeDue();
    const stored = await Promise.all(
      [first, second, third].map(async ({ input }) => (await kiln.objects.head(keyOf(input.file_id))) !== null),
    );
    expect(stored).toStrictEqual([false, false, true]);
    await kiln.deleteFiles.one({ id: first.created.id }, context);
    await removeDue();
    expect(await kiln.objects.head(keyOf(third.input.file_id))).toBeNull();
  });

  it('keeps its bytes from the search for orphans, also from that of a release that does not know them', async () => {
    const first = await upload('first', { external_id: 'no orphan' });
    const second = await upload('second', replacing('no orphan'));
    const [fileId, uploadId] = [uuidOf('file', first.created.id), uuidOf('file', second.input.file_id)];
    const ids = [fileId, uploadId, uuidv7()];
    expect(await kiln.orphanSearch.existing(tenantId, ids)).toStrictEqual(new Set([fileId, uploadId]));
    await kiln.removals.addOrphans([{ tenantId, fileId: uploadId, dueAt: new Date() }]);
    await removeDue();
    expect(await download(first.created.id)).toBe('second');
  });

  it('is found by its own id for a repeat, and by nobody else', async () => {
    const first = await upload('first', { external_id: 'found' });
    const { input } = await upload('second', replacing('found'));
    const byUpload = await kiln.readFiles.get({ id: input.file_id, is_upload: true }, context);
    expect(byUpload.id).toBe(first.created.id);
    await expect(read(input.file_id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is refused for a file of a connection', async () => {
    const { created } = await upload('first', { external_id: 'in a bucket' });
    await kiln.sql('insert into connection_files values ($1, $2, $3, $4, $5)', [
      tenantId,
      uuidOf('file', created.id),
      uuidv7(),
      uuidv7(),
      'a.md',
    ]);
    await expect(upload('second', replacing('in a bucket'))).rejects.toMatchObject(CONFLICT);
  });

  it('ends a job that was requested for the former bytes without an effect on the new ones', async () => {
    const { created } = await upload('first', { external_id: 'requested' });
    const [row] = await kiln.files.findMany(tenantId, [uuidOf('file', created.id)]);
    await upload('second', replacing('requested'));
    const job = { fileId: uuidOf('file', created.id), jobId: uuidv7(), sourceId: row?.source_id ?? null };
    const head = { sizeBytes: 5, etag: 'of the former bytes', isReplaceable: false };
    const changed = await kiln.fileJobs.replaceJobs(
      kiln.database,
      { tenantId, batchId: null },
      [{ ...job, ...head }],
      {},
    );
    expect(changed).toStrictEqual([]);
    const again = { file_id: created.id, job_id: encodeId('job', uuidv7()) };
    const { jobs } = await kiln.processFiles.execute({ files: [again], batch_id: null, processing: {} }, context);
    expect(jobs).toMatchObject([{ job_id: again.job_id, size_bytes: 6 }]);
  });
});
