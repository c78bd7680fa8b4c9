// Real: Postgres. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { filesOperations } from '@kiln/contracts';
import { randomNumbers, testSeed } from '@kiln/testing/seed';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';
import { wrongCounts } from '../test/wrong-counts.js';

const SEED = testSeed();
const STATUSES = ['uploading', 'uploaded', 'processing', 'completed', 'failed'];

describe('spaces', () => {
  let kiln: FilesHarness;
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  const insert = async (tenantId: string, space: string, count: number) =>
    kiln.sql(
      `insert into files (tenant_id, id, space_id, filename, status, size_bytes)
       select $1, gen_random_uuid(), $2, 'a', ($3::text[])[1 + n % 5], n from generate_series(1, $4) n`,
      [tenantId, await kiln.spaceId(tenantId, space), STATUSES, count],
    );

  it(`count exactly the files that exist, whatever was added, changed and deleted concurrently (seed ${SEED})`, async () => {
    const tenantId = uuidv7();
    const random = randomNumbers(SEED);
    const change = async () => {
      const space = `space-${random(3)}`;
      await insert(tenantId, space, 1 + random(19));
      await kiln.sql(
        `update files set status = $2, size_bytes = $3 where (tenant_id, id) in
           (select tenant_id, id from files where tenant_id = $1 limit 3 for update skip locked)`,
        [tenantId, STATUSES[random(5)], random(1_000)],
      );
      await kiln.sql(
        `delete from files where (tenant_id, id) in
           (select tenant_id, id from files where tenant_id = $1 limit 2 for update skip locked)`,
        [tenantId],
      );
    };
    for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 8 }, change));
    expect(await wrongCounts(kiln, tenantId)).toStrictEqual([]);
  });

  it('do not count a change that was rolled back', async () => {
    const context = contextOf(uuidv7());
    await kiln.registerFiles.stored(storedFile({ space: 'kept' }), context);
    const failing = kiln.database.transaction(async (transaction) => {
      const text = `update files set status = 'failed' where tenant_id = $1`;
      await transaction.query({ name: '', text }, [context.tenantId]);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow(/on purpose/);
    expect((await kiln.readSpaces.stats({ name: 'kept' }, context)).status_counts.failed).toBe(0);
  });

  it('report files, bytes and each status of one space', async () => {
    const context = contextOf(uuidv7());
    for (const size_bytes of [5, 7])
      await kiln.registerFiles.stored(storedFile({ space: 'mine', size_bytes }), context);
    await kiln.registerFiles.stored(storedFile({ space: 'other' }), context);
    expect(await kiln.readSpaces.stats({ name: 'mine' }, context)).toStrictEqual({
      space: 'mine',
      total_files: 2,
      total_size_bytes: 12,
      status_counts: { uploading: 0, uploaded: 2, processing: 0, completed: 0, failed: 0 },
    });
    await expect(kiln.readSpaces.stats({ name: 'mine' }, contextOf(uuidv7()))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('exist without files until they are deleted', async () => {
    const context = contextOf(uuidv7());
    await kiln.registerFiles.stored(storedFile({ space: 'emptied' }), context);
    await kiln.sql('delete from files where tenant_id = $1', [context.tenantId]);
    const { spaces } = await kiln.readSpaces.list({}, context);
    expect(spaces).toStrictEqual([{ space: 'emptied', file_count: 0 }]);
  });

  it('of a request without a limit are up to 1,000 on a page', async () => {
    const context = contextOf(uuidv7());
    const add = (from: number, to: number) =>
      kiln.sql(`insert into spaces (tenant_id, name) select $1, 's' || n from generate_series($2::int, $3::int) n`, [
        context.tenantId,
        from,
        to,
      ]);
    const request = filesOperations.listSpaces.input.parse({});
    await add(1, 1_000);
    const all = await kiln.readSpaces.list(request, context);
    expect([all.spaces.length, all.next_cursor]).toStrictEqual([1_000, null]);
    await add(1_001, 1_001);
    const { spaces, next_cursor: cursor } = await kiln.readSpaces.list(request, context);
    expect(spaces).toHaveLength(1_000);
    expect(cursor).not.toBeNull();
  });

  it('are listed by name in pages, each exactly once while others are created', async () => {
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
    expect(seen.filter((name) => names.includes(name))).toStrictEqual(names);
    const { next_cursor: foreign } = await kiln.readSpaces.list({ limit: 1 }, context);
    const elsewhere = kiln.readSpaces.list({ limit: 1, cursor: foreign ?? '' }, contextOf(uuidv7()));
    await expect(elsewhere).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
