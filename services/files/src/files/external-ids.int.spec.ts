// Real: Postgres, the object store. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, type CallContext } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, directUpload, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';

describe('an external id', () => {
  let kiln: FilesHarness;
  const context = contextOf(uuidv7());
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  const register = async (external_id?: string, at: CallContext = context, space = 'default') => {
    const input = storedFile({ space, ...(external_id !== undefined && { external_id }) });
    await kiln.registerFiles.stored(input, at);
    return input.file_id;
  };
  const refused = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: { code: string; message: string }) => `${error.code} ${error.message}`,
    );
  const find = async (filter: object, more: object = {}) => {
    const sorted = { sort_by: 'created_at' as const, sort_order: 'asc' as const, limit: 50 };
    return (await kiln.readFiles.list({ ...sorted, ...more, filter: filter as never }, context)).files.map(
      ({ id }) => id,
    );
  };

  it('belongs to one file of a tenant, and to one of each other tenant', async () => {
    const holder = await register('one');
    expect(await refused(register('one'))).toContain(`CONFLICT The file ${holder} has the external_id "one"`);
    const upload = directUpload({ external_id: 'one' });
    expect(await refused(kiln.registerFiles.upload(upload, context))).toContain('CONFLICT');
    const other = await register();
    const changes = { external_id: 'one' };
    expect(await refused(kiln.updateFile.execute({ id: other, changes }, context))).toContain(`The file ${holder} has`);
    await register('one', contextOf(uuidv7()));
  });

  it('that many files request at once is given to one', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => refused(register('race'))));
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome?.startsWith('CONFLICT'))).toHaveLength(19);
  });

  it('that is refused does not refuse other files of the same moment', async () => {
    await register('taken');
    const others = Array.from({ length: 10 }, (_, at) => refused(register(`free-${at}`)));
    expect(await refused(register('taken'))).toContain('CONFLICT');
    expect(await Promise.all(others)).toStrictEqual(others.map(() => null));
  });

  it('that is refused creates no space', async () => {
    await register('in-default');
    await refused(register('in-default', context, 'never'));
    const { spaces } = await kiln.readSpaces.list({ limit: 100 }, context);
    expect(spaces.map(({ space }) => space)).not.toContain('never');
  });

  it('of a deleted file is free, also while the files of its space are being deleted', async () => {
    const first = await register('reused');
    await kiln.deleteFiles.one({ id: first }, context);
    await register('reused', context, 'doomed');
    await kiln.deleteSpace.execute({ name: 'doomed', cascade: true }, context);
    const third = await register('reused');
    expect(await find({ external_id: { eq: 'reused' } })).toStrictEqual([third]);
    await register('moved-on', context, 'doomed-too');
    await kiln.deleteSpace.execute({ name: 'doomed-too', cascade: true }, context);
    const changes = { external_id: 'moved-on' };
    expect((await kiln.updateFile.execute({ id: third, changes }, context)).external_id).toBe('moved-on');
  });

  it('refuses a batch as a whole', async () => {
    await register('batch-taken');
    const batch = (...ids: string[]) => ({
      batch_id: encodeId('batch', uuidv7()),
      files: ids.map((external_id) => directUpload({ external_id })),
    });
    expect(await refused(kiln.registerFiles.batch(batch('batch-new', 'batch-taken'), context))).toContain('CONFLICT');
    expect(await refused(kiln.registerFiles.batch(batch('twice', 'twice'), context))).toContain('CONFLICT');
    expect(await find({ external_id: { in: ['batch-new', 'twice'] } })).toStrictEqual([]);
    const input = batch('batch-new', 'batch-other');
    const { files } = await kiln.registerFiles.batch(input, context);
    const repeated = await kiln.registerFiles.batch(input, context);
    expect(repeated.files.map(({ id }) => id)).toStrictEqual(files.map(({ id }) => id));
  });

  it('is found by lists, alone and with other filters, in the order of the list', async () => {
    const a = await register('find-a');
    const b = await register('find-b', context, 'found');
    const none = await register();
    expect(await find({ external_id: { in: ['find-b', 'find-a', 'find-c'] } })).toStrictEqual([a, b]);
    expect(await find({ external_id: { in: ['find-a', 'find-b'] } }, { sort_order: 'desc' })).toStrictEqual([b, a]);
    expect(await find({ external_id: { in: ['find-a', 'find-b'] } }, { space: 'found' })).toStrictEqual([b]);
    expect(await find({ and: [{ external_id: { eq: 'find-a' } }, { space: { eq: 'found' } }] })).toStrictEqual([]);
    expect(await find({ not: { external_id: { exists: true } } })).toContain(none);
    expect(await find({ external_id: { eq: 'find-a' } }, { external_id: 'find-b' })).toStrictEqual([]);
    expect(await find({ external_id: { exists: true } }, { external_id: 'find-b' })).toStrictEqual([b]);
  });

  it('pages through a list of external ids', async () => {
    const names = Array.from({ length: 7 }, (_, at) => `page-${at}`);
    const ids = [];
    for (const name of names) ids.push(await register(name));
    const query = { sort_by: 'created_at' as const, sort_order: 'asc' as const, limit: 3 };
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const filter = { external_id: { in: names } };
      const page = await kiln.readFiles.list({ ...query, filter, ...(cursor && { cursor }) }, context);
      seen.push(...page.files.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toStrictEqual(ids);
  });
});
