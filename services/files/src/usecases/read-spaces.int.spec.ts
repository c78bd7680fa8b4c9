// Real: Postgres. Faked: nothing; the deletion of a space stands here as the statements that the counts promise to guard.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';

const STATUSES = ['uploading', 'uploaded', 'processing', 'completed', 'failed'];

describe('spaces', () => {
  let kiln: FilesHarness;
  before(async () => {
    kiln = await startFiles();
  });
  after(() => kiln.close());

  const counted = (tenantId: string) =>
    kiln.sql(
      `select space, status, sum(files)::int as files, sum(size_bytes)::bigint as bytes
       from space_counts where tenant_id = $1 group by 1, 2 having sum(files) <> 0 order by 1, 2`,
      [tenantId],
    );
  const real = (tenantId: string) =>
    kiln.sql(
      `select space, status, count(*)::int as files, sum(coalesce(size_bytes, 0))::bigint as bytes
       from files where tenant_id = $1 group by 1, 2 order by 1, 2`,
      [tenantId],
    );
  const insert = (tenantId: string, space: string, count: number) =>
    kiln.sql(
      `insert into files (tenant_id, id, space, filename, status, size_bytes)
       select $1, gen_random_uuid(), $2, 'a', ($3::text[])[1 + n % 5], n from generate_series(1, $4) n`,
      [tenantId, space, STATUSES, count],
    );

  it('count exactly what is there, whatever was added, changed and removed at the same time', async () => {
    const tenantId = uuidv7();
    const change = async () => {
      const space = `space-${randomInt(3)}`;
      await insert(tenantId, space, randomInt(1, 20));
      await kiln.sql(
        `update files set status = $2, size_bytes = $3 where (tenant_id, id) in
           (select tenant_id, id from files where tenant_id = $1 limit 3 for update skip locked)`,
        [tenantId, STATUSES[randomInt(5)], randomInt(1_000)],
      );
      await kiln.sql(
        `delete from files where (tenant_id, id) in
           (select tenant_id, id from files where tenant_id = $1 limit 2 for update skip locked)`,
        [tenantId],
      );
    };
    for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 8 }, change));
    assert.deepEqual(await counted(tenantId), await real(tenantId));
  });

  it('count nothing of a change that was rolled back', async () => {
    const context = contextOf(uuidv7());
    await kiln.createFile.execute(storedFile({ space: 'kept' }), context);
    const failing = kiln.database.transaction(async (transaction) => {
      const text = `update files set status = 'failed' where tenant_id = $1`;
      await transaction.query({ name: '', text }, [context.tenantId]);
      throw new Error('on purpose');
    });
    await assert.rejects(failing, /on purpose/);
    assert.equal((await kiln.readSpaces.stats({ name: 'kept' }, context)).status_counts.failed, 0);
  });

  it('tell files, bytes and each status of one space', async () => {
    const context = contextOf(uuidv7());
    for (const size_bytes of [5, 7]) await kiln.createFile.execute(storedFile({ space: 'mine', size_bytes }), context);
    await kiln.createFile.execute(storedFile({ space: 'other' }), context);
    assert.deepEqual(await kiln.readSpaces.stats({ name: 'mine' }, context), {
      space: 'mine',
      total_files: 2,
      total_size_bytes: 12,
      status_counts: { uploading: 0, uploaded: 2, processing: 0, completed: 0, failed: 0 },
    });
    await assert.rejects(kiln.readSpaces.stats({ name: 'mine' }, contextOf(uuidv7())), { code: 'NOT_FOUND' });
  });

  it('stay without files, until they are deleted', async () => {
    const context = contextOf(uuidv7());
    await kiln.createFile.execute(storedFile({ space: 'emptied' }), context);
    await kiln.sql('delete from files where tenant_id = $1', [context.tenantId]);
    const { spaces } = await kiln.readSpaces.list({}, context);
    assert.deepEqual(spaces, [{ space: 'emptied', file_count: 0 }]);
  });

  it('are listed by name, page by page, each exactly once while others come', async () => {
    const context = contextOf(uuidv7());
    const names = ['A', 'a', 'b', 'c.1', 'c_2', 'd'];
    for (const name of names) await insert(context.tenantId, name, 2);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await kiln.readSpaces.list({ limit: 2, ...(cursor ? { cursor } : {}) }, context);
      seen.push(...page.spaces.map(({ space }) => space));
      await insert(context.tenantId, `Z${seen.length}`, 1);
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    assert.deepEqual(
      seen.filter((name) => names.includes(name)),
      names,
    );
    const { next_cursor: foreign } = await kiln.readSpaces.list({ limit: 1 }, context);
    const elsewhere = kiln.readSpaces.list({ limit: 1, cursor: foreign ?? '' }, contextOf(uuidv7()));
    await assert.rejects(elsewhere, { code: 'BAD_REQUEST' });
  });

  it('that are deleted wait for a file that is being added, and lose none', async () => {
    const context = contextOf(uuidv7());
    const { tenantId } = context;
    let lostFiles = 0;
    for (let round = 0; round < 30; round++) {
      await insert(tenantId, 'raced', 1);
      await kiln.sql('delete from files where tenant_id = $1', [tenantId]);
      await Promise.all([kiln.createFile.execute(storedFile({ space: 'raced' }), context), deleteIfEmpty(tenantId)]);
      const { total_files: files } = await kiln.readSpaces.stats({ name: 'raced' }, context);
      if (files !== 1) lostFiles++;
      await kiln.sql('delete from files where tenant_id = $1', [tenantId]);
    }
    assert.equal(lostFiles, 0);
  });

  /** The order of locks that the counts ask of whoever deletes a space. */
  function deleteIfEmpty(tenantId: string): Promise<unknown> {
    return kiln.database.transaction(async (transaction) => {
      const run = (text: string) => transaction.query<{ files: number }>({ name: '', text }, [tenantId, 'raced']);
      await run('select 1 from spaces where tenant_id = $1 and name = $2 for update');
      await run('select 1 from space_counts where tenant_id = $1 and space = $2 order by status, slot for update');
      const [row] = await run('select sum(files)::int as files from space_counts where tenant_id = $1 and space = $2');
      if (!row?.files) await run('delete from spaces where tenant_id = $1 and name = $2');
    });
  }
});
