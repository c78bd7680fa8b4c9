// Real: Postgres. Faked: nothing; events are taken from the outbox by hand where a relay would publish them.
import { uuidOf } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';

const missing = { code: 'NOT_FOUND' };
const MANY = 4_000;

describe('deleting a space', () => {
  let kiln: FilesHarness;
  before(async () => {
    kiln = await startFiles();
  });
  after(() => kiln.close());

  const newTenant = () => contextOf(uuidv7());
  type Context = ReturnType<typeof newTenant>;
  const add = async (context: Context, space = 'space') => {
    const input = storedFile({ space });
    await kiln.createFile.execute(input, context);
    return input.file_id;
  };
  const addMany = async ({ tenantId }: Context, count: number) => {
    await kiln.sql(
      `insert into files (tenant_id, id, space, status, filename, size_bytes)
       select $1, gen_random_uuid(), 'space', 'uploaded', n::text, 1 from generate_series(1, $2) n`,
      [tenantId, count],
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
  const drain = async () => {
    await publish();
    while (await kiln.deleteHiddenFiles.round()) await publish();
  };
  const left = async ({ tenantId }: Context) => {
    const [row] = await kiln.sql<{ count: number }>(
      'select count(*)::int as count from file_rows where tenant_id = $1',
      [tenantId],
    );
    return row?.count;
  };

  it('is refused for an unknown one and for one with files, unless they are to go, too', async () => {
    const context = newTenant();
    await assert.rejects(remove(context, true), missing);
    const id = await add(context);
    await assert.rejects(remove(context, false), { code: 'CONFLICT', message: /cascade/ });
    await assert.rejects(remove(newTenant(), true), missing);
    await kiln.deleteFiles.one({ id }, context);
    assert.deepEqual(await spaces(context), [{ space: 'space', file_count: 0 }]);
    assert.deepEqual(await remove(context, false), { deleted: true, files_deleted: 0 });
    assert.deepEqual(await spaces(context), []);
    await assert.rejects(remove(context, false), missing);
  });

  it('hides all of its files from every read when it answers, and deletes them after that with an event each', async () => {
    const context = newTenant();
    await addMany(context, MANY);
    const [id, other] = [await add(context), await add(context, 'other')];
    assert.deepEqual(await remove(context, true), { deleted: true, files_deleted: MANY + 1 });

    assert.deepEqual(await listed(context), [other]);
    assert.deepEqual(await spaces(context), [{ space: 'other', file_count: 1 }]);
    await assert.rejects(kiln.readFiles.get({ id }, context), missing);
    await assert.rejects(kiln.readVariants.list({ file_id: id }, context), missing);
    await assert.rejects(kiln.readSpaces.stats({ name: 'space' }, context), missing);
    await assert.rejects(kiln.deleteFiles.one({ id }, context), missing);
    const { tenantId } = context;
    assert.equal(await kiln.receiveUpload.execute(tenantId, uuidOf('file', id)), true);

    await drain();
    assert.equal(await left(context), 1);
    const [events] = await kiln.sql<{ count: number }>(
      `select count(distinct envelope::jsonb -> 'data' ->> 'file_id')::int as count from outbox
       where type = 'file.deleted' and envelope::jsonb ->> 'tenantid' = $1`,
      [tenantId],
    );
    assert.equal(events?.count, MANY + 1);
    const [removals] = await kiln.sql<{ count: number }>(
      'select count(*)::int as count from object_removals where tenant_id = $1',
      [tenantId],
    );
    assert.equal(removals?.count, MANY + 1);
    assert.deepEqual(await kiln.sql('select 1 from space_deletions where tenant_id = $1', [tenantId]), []);
  });

  it('leaves alone what is put into a space of the same name after the answer', async () => {
    const context = newTenant();
    await addMany(context, 50);
    await remove(context, true);
    const kept = await add(context);
    assert.deepEqual(await spaces(context), [{ space: 'space', file_count: 1 }]);
    await drain();
    assert.deepEqual(await listed(context), [kept]);
    assert.equal((await kiln.readSpaces.stats({ name: 'space' }, context)).total_files, 1);
    assert.deepEqual(await remove(context, true), { deleted: true, files_deleted: 1 });
    await drain();
    assert.equal(await left(context), 0);
  });

  it('goes on where a dead worker stopped, and takes nothing from one that works', async () => {
    const context = newTenant();
    await addMany(context, 2_500);
    await remove(context, true);
    await publish();
    const dead = await kiln.deletions.claimSpace(60);
    assert.ok(dead);
    const limits = { limit: 1_000, leaseSeconds: 60 };
    await kiln.database.transaction((transaction) => kiln.deletions.deleteHidden(transaction, dead, limits));
    assert.equal(await kiln.deletions.claimSpace(60), null, 'leased');
    await kiln.sql('update space_deletions set next_attempt_at = now()');
    await drain();
    assert.equal(await left(context), 0);
    const late = await kiln.database.transaction((tx) => kiln.deletions.deleteHidden(tx, dead, limits));
    assert.equal(late, null, 'the lease is lost');
  });

  it('waits while events pile up', async () => {
    const context = newTenant();
    await addMany(context, 10);
    await remove(context, true);
    await kiln.sql(
      `insert into outbox (id, type, envelope) select gen_random_uuid(), 'x', '{}' from generate_series(1, 5000)`,
    );
    assert.equal(await kiln.deleteHiddenFiles.round(), false);
    assert.equal(await left(context), 10);
    await drain();
    assert.equal(await left(context), 0);
  });

  it('and files that come, change and go at the same time end in counts that are true', async () => {
    const context = newTenant();
    const { tenantId } = context;
    const ended = new AbortController();
    const created: string[] = [];
    const writer = async () => {
      while (!ended.signal.aborted) {
        const input = storedFile({ space: 'space' });
        await kiln.createFile.execute(input, context);
        created.push(input.file_id);
        const run = { file_id: input.file_id, job_id: input.job_id ?? '', fence: 1 };
        // A file whose space has gone has no runs; which of the two refusals comes depends on the moment.
        await kiln.processFile.begin(run, context).catch(() => undefined);
        if (created.length % 3 === 0) await kiln.deleteFiles.many({ file_ids: [input.file_id] }, context);
      }
    };
    const writers = [writer(), writer(), writer(), writer()];
    let deletedWithSpace = 0;
    for (let round = 0; round < 25; round++) {
      const answer = await remove(context, true).catch((error: { code?: string }) => {
        assert.equal(error.code, 'NOT_FOUND');
        return { files_deleted: 0 };
      });
      deletedWithSpace += answer.files_deleted;
      if (round % 5 === 0) await drain();
    }
    ended.abort();
    await Promise.all(writers);
    await drain();
    assert.ok(deletedWithSpace > 0);
    const wrong = await kiln.sql(
      `with counted as (select space, status, count(*) as files, sum(coalesce(size_bytes, 0)) as bytes
                        from file_rows where tenant_id = $1 group by 1, 2),
            kept as (select space, status, sum(files) as files, sum(size_bytes) as bytes
                     from space_counts where tenant_id = $1 group by 1, 2)
       select * from counted full join kept using (space, status)
       where coalesce(counted.files, 0) <> coalesce(kept.files, 0) or coalesce(counted.bytes, 0) <> coalesce(kept.bytes, 0)`,
      [tenantId],
    );
    assert.deepEqual(wrong, []);
    assert.equal(await left(context), (await listed(context)).length, 'no file is left hidden');
  });
});
