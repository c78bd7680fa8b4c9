// Real: Postgres, the object store. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { filesEvents, METADATA_KEYS_MAX, type EventData, type FileChanges } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { ExternalIdStore } from '../files/external-id.store.js';
import { contextOf, startFiles, storedFile, type FilesHarness, type NewStoredFile } from '../test/files-harness.js';
import { FileUpdateStore } from './file-update.store.js';
import { UpdateFile } from './update-file.usecase.js';

describe('an update of a file', () => {
  let kiln: FilesHarness;
  const context = contextOf(uuidv7());
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  const register = async (overrides: Partial<NewStoredFile> = {}) => {
    const input = storedFile(overrides);
    await kiln.registerFiles.stored(input, context);
    return input;
  };
  const update = (id: string, changes: FileChanges) => kiln.updateFile.execute({ id, changes }, context);
  const refusal = (id: string, changes: FileChanges) => update(id, changes).catch((error: unknown) => error);
  const listed = async (input: Partial<Parameters<FilesHarness['readFiles']['list']>[0]>) => {
    const query = { sort_by: 'created_at' as const, sort_order: 'desc' as const, limit: 50, ...input };
    return (await kiln.readFiles.list(query, context)).files.map(({ id }) => id);
  };
  const filesIn = async (space: string) => {
    const { spaces } = await kiln.readSpaces.list({ limit: 100 }, context);
    return spaces.find((each) => each.space === space)?.file_count;
  };
  const updates = async (fileId: string) => {
    const rows = await kiln.sql<{ data: EventData<typeof filesEvents.fileUpdated> }>(
      `select envelope::jsonb -> 'data' as data from outbox
       where type = $1 and envelope::jsonb #>> '{data,file_id}' = $2 order by sequence`,
      [filesEvents.fileUpdated.type, fileId],
    );
    return rows.map(({ data }) => data);
  };

  it('changes the fields that it has, and no others', async () => {
    const { file_id: id } = await register({
      metadata: { team: 'a', draft: 'yes', year: '2025' },
      external_id: 'update-1',
    });
    const before = await kiln.readFiles.get({ id }, context);
    const changed = await update(id, { filename: 'Neu.md', metadata: { draft: null, year: '2026', new: '' } });
    const expected = { ...before, filename: 'Neu.md', metadata: { team: 'a', year: '2026', new: '' } };
    expect({ ...changed, updated_at: '' }).toStrictEqual({ ...expected, updated_at: '' });
    expect(await kiln.readFiles.get({ id }, context)).toStrictEqual(changed);
    expect((await update(id, { external_id: null })).external_id).toBeNull();
  });

  it('is announced once: a repeat changes nothing', async () => {
    const { file_id: id } = await register();
    const first = await update(id, { filename: 'b.md', space: 'moved' });
    expect(await update(id, { filename: 'b.md', space: 'moved' })).toStrictEqual(first);
    expect(await updates(id)).toMatchObject([{ file_id: id, filename: 'b.md', space: 'moved', edits: 1 }]);
  });

  it('is found by lists under the new name, metadata, space and external id, and no longer under the former', async () => {
    const { file_id: id } = await register({ filename: 'before.md', metadata: { k: 'old' }, space: 'list-old' });
    await update(id, { filename: 'Afterwards.md', metadata: { k: 'new' }, space: 'list-new', external_id: 'list-1' });
    expect(await listed({ search: 'AFTERW' })).toStrictEqual([id]);
    expect(await listed({ search: 'before' })).toStrictEqual([]);
    expect(await listed({ metadata: { k: 'new' } })).toStrictEqual([id]);
    expect(await listed({ metadata: { k: 'old' } })).toStrictEqual([]);
    expect(await listed({ space: 'list-new' })).toStrictEqual([id]);
    expect(await listed({ space: 'list-old' })).toStrictEqual([]);
    expect(await listed({ external_id: 'list-1' })).toStrictEqual([id]);
  });

  it('that moves a file to a new or to an existing space moves its count', async () => {
    const [first, second] = [await register({ space: 'count-a' }), await register({ space: 'count-a' })];
    await update(first.file_id, { space: 'count-b' });
    expect([await filesIn('count-a'), await filesIn('count-b')]).toStrictEqual([1, 1]);
    await update(second.file_id, { space: 'count-b' });
    expect([await filesIn('count-a'), await filesIn('count-b')]).toStrictEqual([0, 2]);
    await kiln.deleteSpace.execute({ name: 'count-b', cascade: true }, context);
    expect(await kiln.readFiles.get({ id: first.file_id }, context).catch((error: unknown) => error)).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('of a file that does not exist is NOT_FOUND, and creates no space', async () => {
    const { file_id: missing } = storedFile();
    expect(await refusal(missing, { space: 'never' })).toMatchObject({ code: 'NOT_FOUND' });
    const { file_id: own } = await register();
    const foreign = kiln.updateFile.execute({ id: own, changes: { space: 'never' } }, contextOf(uuidv7()));
    expect(await foreign.catch((error: unknown) => error)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await filesIn('never')).toBeUndefined();
  });

  it('leaves a file in its space if that is deleted, and one of its name made, while the update runs', async () => {
    const { file_id: id } = await register({ space: 'again' });
    class SlowUpdates extends FileUpdateStore {
      override async lock(...locked: Parameters<FileUpdateStore['lock']>) {
        const file = await super.lock(...locked);
        await kiln.deleteSpace.execute({ name: 'again', cascade: true }, context);
        await register({ space: 'again' });
        return file;
      }
    }
    const externalIds = new ExternalIdStore(kiln.database);
    const slow = new UpdateFile(kiln.database, new SlowUpdates(), externalIds, kiln.readFiles);
    const updated = slow.execute({ id, changes: { filename: 'b.md' } }, context);
    await expect(updated).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(kiln.readFiles.get({ id }, context)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await filesIn('again')).toBe(1);
  });

  it('that would leave more than 50 keys of metadata is refused', async () => {
    const keys = (from: number) =>
      Object.fromEntries(Array.from({ length: METADATA_KEYS_MAX }, (_, at) => [`k${from + at}`, 'x']));
    const { file_id: id } = await register({ metadata: keys(0) });
    expect(await refusal(id, { metadata: { more: 'x' } })).toMatchObject({ code: 'BAD_REQUEST' });
    await update(id, { metadata: { k0: null, more: 'x' } });
  });

  it('concurrent with others loses none of their keys', async () => {
    const { file_id: id } = await register();
    const names = Array.from({ length: 12 }, (_, at) => `key${at}`);
    await Promise.all(names.map((name) => update(id, { metadata: { [name]: name } })));
    const { metadata } = await kiln.readFiles.get({ id }, context);
    expect(Object.keys(metadata).toSorted()).toStrictEqual(names.toSorted());
    expect((await updates(id)).map(({ edits }) => edits)).toStrictEqual(names.map((_, at) => at + 1));
  });

  it('during a run is announced again when the run ends, and no more after that', async () => {
    const { file_id, job_id } = await register();
    const run = (fence: number) => ({ file_id, job_id: job_id ?? '', fence });
    await kiln.runCalls.begin(run(1), context);
    await update(file_id, { filename: 'during.md' });
    await kiln.runCalls.finish(run(1), context);
    expect((await updates(file_id)).map(({ edits }) => edits)).toStrictEqual([1, 1]);
    const other = await register();
    await update(other.file_id, { filename: 'before.md' });
    const begun = await kiln.runCalls.begin({ ...run(1), file_id: other.file_id, job_id: other.job_id ?? '' }, context);
    expect(begun.filename).toBe('before.md');
    await kiln.runCalls.finish({ ...run(1), file_id: other.file_id, job_id: other.job_id ?? '' }, context);
    expect(await updates(other.file_id)).toHaveLength(1);
  });

  it('does not refuse a repeat of the registration', async () => {
    const input = await register();
    await update(input.file_id, { filename: 'renamed.md', space: 'elsewhere' });
    expect((await kiln.registerFiles.stored(input, context)).filename).toBe('renamed.md');
  });
});
