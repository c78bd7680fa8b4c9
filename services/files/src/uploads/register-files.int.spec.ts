// Real: Postgres, the object store. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, directUpload, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';

describe('registering a file', () => {
  let kiln: FilesHarness;
  const context = contextOf(uuidv7());
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  it('returns the same answer and emits each event once when repeated with the same ids, also concurrently', async () => {
    const input = storedFile();
    const register = () => kiln.registerFiles.stored(input, context);
    const [first, ...repeats] = await Promise.all([register(), register(), register(), register()]);
    for (const repeat of [...repeats, await register()]) expect(repeat).toStrictEqual(first);
    expect(await kiln.eventsOf(input.file_id)).toStrictEqual(['file.created', 'file.processing.requested']);
  });

  it('of a direct upload finds its row when repeated, and signs a new URL', async () => {
    const input = directUpload();
    const first = await kiln.registerFiles.upload(input, context);
    const repeat = await kiln.registerFiles.upload(input, context);
    expect({ ...repeat, upload_url: '' }).toStrictEqual({ ...first, upload_url: '' });
    expect(first.status).toBe('uploading');
    expect(await kiln.eventsOf(input.file_id)).toStrictEqual(['file.created', 'file.processing.requested']);
  });

  it('fails with CONFLICT for the id of another file, and changes nothing', async () => {
    const input = storedFile();
    await kiln.registerFiles.stored(input, context);
    const others = [
      { filename: 'other.md' },
      { space: 'other' },
      { sha256: 'b'.repeat(64) },
      { job_id: encodeId('job', uuidv7()) },
    ];
    for (const other of others) {
      await expect(kiln.registerFiles.stored({ ...input, ...other }, context)).rejects.toMatchObject({
        code: 'CONFLICT',
      });
    }
    await expect(kiln.registerFiles.upload(directUpload(input), context)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await kiln.eventsOf(input.file_id)).toHaveLength(2);
  });

  it('registers one of two concurrent files with the same id completely, and refuses the other', async () => {
    const input = storedFile();
    const rival = { ...input, filename: 'other.md', job_id: null };
    const outcomes = await Promise.allSettled([input, rival].map((file) => kiln.registerFiles.stored(file, context)));
    expect(outcomes.map(({ status }) => status).toSorted()).toStrictEqual(['fulfilled', 'rejected']);
    const { filename } = await kiln.readFiles.get({ id: input.file_id }, context);
    const isFirst = filename === input.filename;
    expect(await kiln.eventsOf(input.file_id)).toStrictEqual(
      isFirst ? ['file.created', 'file.processing.requested'] : ['file.created'],
    );
  });

  it('inserts nothing when its events cannot be written', async () => {
    const input = directUpload();
    await kiln.sql(`alter table outbox add constraint refuse check (type <> 'file.processing.requested') not valid`);
    await expect(kiln.registerFiles.upload(input, context)).rejects.toThrow(/refuse/);
    await kiln.sql('alter table outbox drop constraint refuse');
    await expect(kiln.readFiles.get({ id: input.file_id }, context)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await kiln.eventsOf(input.file_id)).toStrictEqual([]);
  });

  it('requests no job for a file without one', async () => {
    const input = storedFile({ job_id: null });
    await kiln.registerFiles.stored(input, context);
    expect(await kiln.eventsOf(input.file_id)).toStrictEqual(['file.created']);
  });

  it('makes a file visible to its tenant only: every operation of another tenant fails with NOT_FOUND', async () => {
    const input = storedFile();
    await kiln.registerFiles.stored(input, context);
    const other = contextOf(uuidv7());
    const run = { file_id: input.file_id, job_id: input.job_id ?? '', fence: 1 };
    const variant = {
      type: 'markdown',
      content_type: 'text/markdown',
      size_bytes: 1,
      provider: 'document_extractor',
    } as const;
    const fileUuid = uuidv7();
    const refused = { code: 'NOT_FOUND' };
    const superseded = { code: 'SUPERSEDED' };
    await expect(kiln.readFiles.get({ id: input.file_id }, other)).rejects.toMatchObject(refused);
    await expect(kiln.readVariants.list({ file_id: input.file_id }, other)).rejects.toMatchObject(refused);
    await expect(kiln.readVariants.get({ file_id: input.file_id, type: 'markdown' }, other)).rejects.toMatchObject(
      refused,
    );
    await expect(kiln.runCalls.begin(run, other)).rejects.toMatchObject(superseded);
    await expect(kiln.runCalls.finish(run, other)).rejects.toMatchObject(superseded);
    const key = `${other.tenantId}/${fileUuid}/x`;
    await expect(kiln.runCalls.commit({ ...run, ...variant, content_key: key }, other)).rejects.toMatchObject({
      name: 'CodedError',
    });
    const list = { sort_by: 'created_at', sort_order: 'desc', limit: 50 } as const;
    expect((await kiln.readFiles.list(list, other)).files).toStrictEqual([]);
    expect((await kiln.registerFiles.stored(input, other)).id).toBe(input.file_id);
    expect((await kiln.readFiles.get({ id: input.file_id }, context)).status).toBe('uploaded');
  });
});
