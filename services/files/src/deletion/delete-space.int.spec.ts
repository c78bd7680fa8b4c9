// Real: Postgres. Faked: nothing; events are taken from the outbox by hand where a relay would publish them.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, uuidOf } from '@kiln/contracts';
import { statement } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';
import { wrongCounts } from '../test/wrong-counts.js';

const missing = { code: 'NOT_FOUND' };
const MANY = 4_000;
const FILES_OF_WRITER = 60;
const BLOCKED = `select pid from pg_locks join pg_stat_activity using (pid) where datname = current_database() and not granted`;

describe('deleting a space', () => {
  let kiln: FilesHarness;
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  const newTenant = () => contextOf(uuidv7());
  type Context = ReturnType<typeof newTenant>;
  const add = async (context: Context, space = 'space') => {
    const input = storedFile({ space });
    await kiln.registerFiles.stored(input, context);
    return input.file_id;
  };
  const addMany = async ({ tenantId }: Context, count: number) => {
    await kiln.sql(
      `insert into files (tenant_id, id, space_id, status, filename, size_bytes)
       select $1, gen_random_uuid(), $3, 'uploaded', n::text, 1 from generate_series(1, $2) n`,
      [tenantId, count, await kiln.spaceId(tenantId, 'space')],
    );
  };
  const remove = (context: Context, cascade: boolean, name = 'space') =>
    kiln.deleteSpace.execute({ name, cascade }, context);
  const listed = async (context: Context) => {
    const input = { sort_by: 'created_at', sort_order: 'desc', limit: 200 } as const;
    return (await kiln.readFiles.list(input, context)).files.map(({ id }) => id);
  };
  const spaces = async (context: Context) => (await kiln.readSpaces.list({}, context)).spaces;
  const publish = () => kiln.sql('update outbox set published_at = now() where published_at is null');
  /** A round ends early if the backlog of events is full. */
  const drain = async () => {
    do await publish();
    while (
      (await kiln.deleteFilesOfSpaces.round()) ||
      (await kiln.sql('select 1 from deleted_spaces limit 1')).length > 0
    );
  };
  const left = async ({ tenantId }: Context) => {
    const [row] = await kiln.sql<{ count: number }>('select count(*)::int as count from files where tenant_id = $1', [
      tenantId,
    ]);
    return row?.count;
  };

  it('is refused for an unknown space, and for a space with files unless cascade is set', async () => {
    const context = newTenant();
    await expect(remove(context, true)).rejects.toMatchObject(missing);
    const id = await add(context);
    await expect(remove(context, false)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/cascade/),
    });
    await expect(remove(newTenant(), true)).rejects.toMatchObject(missing);
    await kiln.deleteFiles.one({ id }, context);
    expect(await spaces(context)).toStrictEqual([{ space: 'space', file_count: 0 }]);
    expect(await remove(context, false)).toStrictEqual({ deleted: true, files_deleted: 0 });
    expect(await spaces(context)).toStrictEqual([]);
    await expect(remove(context, false)).rejects.toMatchObject(missing);
  });

  it('hides all of its files from every read when it returns, and deletes them afterwards with an event each', async () => {
    const context = newTenant();
    await addMany(context, MANY);
    const [id, other] = [await add(context), await add(context, 'other')];
    expect(await remove(context, true)).toStrictEqual({ deleted: true, files_deleted: MANY + 1 });

    expect(await listed(context)).toStrictEqual([other]);
    expect(await spaces(context)).toStrictEqual([{ space: 'other', file_count: 1 }]);
    await expect(kiln.readFiles.get({ id }, context)).rejects.toMatchObject(missing);
    await expect(kiln.readVariants.list({ file_id: id }, context)).rejects.toMatchObject(missing);
    await expect(kiln.readSpaces.stats({ name: 'space' }, context)).rejects.toMatchObject(missing);
    await expect(kiln.deleteFiles.one({ id }, context)).rejects.toMatchObject(missing);
    const { tenantId } = context;
    expect(await kiln.receiveUpload.execute(tenantId, uuidOf('file', id))).toBe(true);

    await drain();
    expect(await left(context)).toBe(1);
    const [events] = await kiln.sql<{ count: number }>(
      `select count(distinct envelope::jsonb -> 'data' ->> 'file_id')::int as count from outbox
       where type = 'file.deleted' and envelope::jsonb ->> 'tenantid' = $1`,
      [tenantId],
    );
    expect(events?.count).toBe(MANY + 1);
    const [removals] = await kiln.sql<{ count: number }>(
      'select count(*)::int as count from object_removals where tenant_id = $1',
      [tenantId],
    );
    expect(removals?.count).toBe(MANY + 1);
    expect(await kiln.sql('select 1 from deleted_spaces where tenant_id = $1', [tenantId])).toStrictEqual([]);
  });

  it('keeps files that are added to a new space of the same name', async () => {
    const context = newTenant();
    await addMany(context, 50);
    await remove(context, true);
    const kept = await add(context);
    expect(await spaces(context)).toStrictEqual([{ space: 'space', file_count: 1 }]);
    await drain();
    expect(await listed(context)).toStrictEqual([kept]);
    expect((await kiln.readSpaces.stats({ name: 'space' }, context)).total_files).toBe(1);
    expect(await remove(context, true)).toStrictEqual({ deleted: true, files_deleted: 1 });
    await drain();
    expect(await left(context)).toBe(0);
  });

  it('waits for a file that is being added: the deletion is refused, or the file creates the space again', async () => {
    const context = newTenant();
    for (let round = 0; round < 30; round++) {
      await kiln.deleteFiles.one({ id: await add(context) }, context);
      const [id, refusal] = await Promise.all([
        add(context),
        remove(context, false).then(
          () => null,
          ({ code }: { code?: string }) => code,
        ),
      ]);
      expect([null, 'CONFLICT']).toContain(refusal);
      expect(await listed(context)).toStrictEqual([id]);
      expect(await spaces(context)).toStrictEqual([{ space: 'space', file_count: 1 }]);
      await kiln.deleteFiles.one({ id }, context);
    }
  });

  it('resumes where a worker died, and takes no lease from a live worker', async () => {
    const context = newTenant();
    await addMany(context, 2_500);
    await remove(context, true);
    await publish();
    const dead = await kiln.deletions.claimSpace(60);
    if (!dead) throw new Error('no dead');
    const limits = { limit: 1_000, leaseSeconds: 60 };
    await kiln.database.transaction((transaction) => kiln.deletions.deleteFilesOfSpace(transaction, dead, limits));
    // The space is leased.
    expect(await kiln.deletions.claimSpace(60)).toBeNull();
    await kiln.sql(`update deleted_spaces set due_at = now() - interval '1 minute'`);
    await drain();
    expect(await left(context)).toBe(0);
    const late = await kiln.database.transaction((tx) => kiln.deletions.deleteFilesOfSpace(tx, dead, limits));
    // The lease is lost.
    expect(late).toBeNull();
  });

  it('locks files in the order of their ids, as requests do, so that the two cannot deadlock', async () => {
    const context = newTenant();
    const { tenantId } = context;
    // The database reads them in the order in which they were added.
    const [second, first] = [uuidv7({ msecs: 2 }), uuidv7({ msecs: 1 })];
    for (const id of [second, first]) {
      await kiln.registerFiles.stored(storedFile({ space: 'space', file_id: encodeId('file', id) }), context);
    }
    await remove(context, true);
    await publish();
    const lock = statement('test.lock', 'select 1 from files where tenant_id = $1 and id = $2 for update nowait');
    let round: Promise<boolean> | undefined;
    await kiln.database.transaction(async (transaction) => {
      await transaction.query(lock, [tenantId, first]);
      round = kiln.deleteFilesOfSpaces.round();
      await eventually(async () => expect(await kiln.sql(BLOCKED)).not.toStrictEqual([]));
      // Throws if the round holds it.
      await transaction.query(lock, [tenantId, second]);
    });
    await round;
    await drain();
    expect(await left(context)).toBe(0);
  });

  it('pauses while the event backlog is full', async () => {
    const context = newTenant();
    await addMany(context, 10);
    await remove(context, true);
    await kiln.sql(
      `insert into outbox (id, type, envelope) select gen_random_uuid(), 'x', '{}' from generate_series(1, 5000)`,
    );
    expect(await kiln.deleteFilesOfSpaces.round()).toBe(false);
    expect(await left(context)).toBe(10);
    await drain();
    expect(await left(context)).toBe(0);
  });

  it('leaves exact counts when files are added, changed and deleted concurrently', async () => {
    const context = newTenant();
    const { tenantId } = context;
    const ended = new AbortController();
    const writer = async () => {
      for (let written = 0; written < FILES_OF_WRITER; written++) {
        const input = storedFile({ space: 'space' });
        await kiln.registerFiles.stored(input, context);
        const run = { file_id: input.file_id, job_id: input.job_id ?? '', fence: 1 };
        // A file of a deleted space has no runs; which of the two refusals it gets depends on the timing.
        await kiln.runCalls.begin(run, context).catch(() => undefined);
        if (written % 3 === 0) await kiln.deleteFiles.many({ file_ids: [input.file_id] }, context);
      }
    };
    const writers = Promise.all(Array.from({ length: 4 }, writer)).finally(() => ended.abort());
    let deletedWithSpace = 0;
    for (let round = 0; !ended.signal.aborted; round++) {
      const answer = await remove(context, true).catch((error: { code?: string }) => {
        expect(error.code).toBe('NOT_FOUND');
        return { files_deleted: 0 };
      });
      deletedWithSpace += answer.files_deleted;
      if (round % 5 === 0) await drain();
    }
    await writers;
    await drain();
    expect(deletedWithSpace).toBeGreaterThan(0);
    expect(await wrongCounts(kiln, tenantId)).toStrictEqual([]);
    // No file of a deleted space is left.
    expect(await left(context)).toBe((await listed(context)).length);
  });
});
