// Real: Postgres, the object store. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { uuidOf } from '@kiln/contracts';
import { statement, type Database, type Queryable } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { UNMERGED_MAX, UNMERGED_UNSEARCHED_MAX } from './merge-requests.service.js';
import { BLOCKED, openSuperuser } from '../test/other-session.js';
import { startSearch, type SearchHarness } from '../test/search-harness.js';

const inTail = statement('test.in_tail', 'select count(*)::int as rows from tail_parts where tenant_id = $1');
const postings = statement(
  'test.postings',
  'select term, sum(count)::int as count from posting_blocks where tenant_id = $1 group by term order by term',
);
const totals = statement(
  'test.totals',
  `select chunks, chunk_length, titles, title_length, removed_chunks, removed_titles from tenant_indexes where tenant_id = $1`,
);

describe('merging the tail of a tenant', () => {
  let kiln: SearchHarness;
  let other: Awaited<ReturnType<Database['dedicatedClient']>>;
  beforeAll(async () => {
    kiln = await startSearch();
    other = await openSuperuser(kiln.database);
  });
  afterAll(async () => {
    await other.end();
    await kiln.close();
  });

  const rowsInTail = async (tenantId: string) =>
    (await kiln.database.query<{ rows: number }>(inTail, [tenantId]))[0]?.rows;
  const stateOf = async (database: Queryable, tenantId: string) => ({
    postings: await database.query(postings, [tenantId]),
    totals: await database.query(totals, [tenantId]),
  });
  const indexSome = async (tenantId: string, count: number) => {
    for (let n = 0; n < count; n++) await kiln.index({ tenantId, chunks: [`common word${n} text`, `common again`] });
  };
  const answerOf = async (tenantId: string, query: string) => {
    const { results, total } = await kiln.search(tenantId, query);
    return { total, found: results.map(({ file_id, score }) => `${file_id} ${score.toFixed(9)}`).toSorted() };
  };

  it('does not change the results of searches', async () => {
    const tenantId = randomUUID();
    await indexSome(tenantId, 12);
    const before = await answerOf(tenantId, 'common word7');
    await kiln.merge(tenantId);
    expect(await rowsInTail(tenantId)).toBe(0);
    expect(await answerOf(tenantId, 'common word7')).toStrictEqual(before);
  });

  it('merges a file of many batches in parts, and searches find all of it in between', async () => {
    const tenantId = randomUUID();
    const chunks = Array.from({ length: 1_700 }, (_, n) => `paragraph about topic${n}`);
    await kiln.index({ tenantId, chunks });
    const parts = [await rowsInTail(tenantId)];
    while (await kiln.merges.mergeTail(tenantId, 1)) {
      parts.push(await rowsInTail(tenantId));
      for (const topic of [3, 700, 1_699]) {
        const { results, total } = await kiln.search(tenantId, `topic${topic} paragraph`);
        expect(total).toBe(1);
        expect(results[0]?.chunk_text ?? '').toMatch(new RegExp(`topic${topic}$`));
      }
    }
    expect(parts).toStrictEqual([4, 2, 0]);
  });

  it('merges each passage once, however many processes merge at once', async () => {
    const [alone, together] = [randomUUID(), randomUUID()];
    for (const tenantId of [alone, together]) await indexSome(tenantId, 40);
    while (await kiln.merges.mergeTail(alone, 1));
    while ((await rowsInTail(together)) !== 0) {
      await Promise.all(Array.from({ length: 6 }, () => kiln.merges.mergeTail(together, 1)));
    }
    expect(await stateOf(kiln.database, together)).toStrictEqual(await stateOf(kiln.database, alone));
  });

  it('changes nothing when the process dies during a merge, and succeeds afterwards', async () => {
    const tenantId = randomUUID();
    await indexSome(tenantId, 3);
    await kiln.merge(tenantId);
    await indexSome(tenantId, 3);
    const [answer, state] = [await answerOf(tenantId, 'common word1'), await stateOf(kiln.database, tenantId)];
    // The last statement of the merge waits for this row. Then its connection is terminated.
    await other.query('begin');
    await other.query('select 1 from tenant_indexes where tenant_id = $1 for update', [tenantId]);
    const merge = kiln.merges.mergeTail(tenantId, 1).catch((error: unknown) => error);
    const pid = await eventually(async () => (await other.query<{ pid: number }>(BLOCKED)).rows[0]?.pid ?? false);
    await other.query('select pg_terminate_backend($1)', [pid]);
    expect(await merge).toMatchObject({ code: 'UNAVAILABLE' });
    await other.query('rollback');
    expect(await answerOf(tenantId, 'common word1')).toStrictEqual(answer);
    expect(await stateOf(kiln.database, tenantId)).toStrictEqual(state);
    await kiln.merge(tenantId);
    expect(await rowsInTail(tenantId)).toBe(0);
    expect(await answerOf(tenantId, 'common word1')).toStrictEqual(answer);
  });

  it('skips a file that a writer or a deletion has locked, without waiting', async () => {
    const tenantId = randomUUID();
    const held = await kiln.index({ tenantId, chunks: ['held'] });
    await kiln.index({ tenantId, chunks: ['free'] });
    await other.query('begin');
    await other.query('select 1 from files where file_id = $1 for update', [uuidOf('file', held)]);
    while (await kiln.merges.mergeTail(tenantId, 1));
    expect(await rowsInTail(tenantId)).toBe(1);
    await other.query('rollback');
    await kiln.merge(tenantId);
    expect(await rowsInTail(tenantId)).toBe(0);
    for (const word of ['held', 'free']) expect((await kiln.search(tenantId, word)).total).toBe(1);
  });

  it('begins without a command once a search or a write has read a long tail', async () => {
    const tenantId = randomUUID();
    kiln.mergeWorker.start();
    try {
      for (let n = 0; n < 3; n++) await kiln.index({ tenantId, chunks: ['short tail'] });
      await kiln.search(tenantId, 'tail');
      expect(await rowsInTail(tenantId)).toBe(3);
      await kiln.index({ tenantId, chunks: Array.from({ length: UNMERGED_MAX }, (_, n) => `long tail ${n}`) });
      expect(await rowsInTail(tenantId)).toBe(4);
      expect((await kiln.search(tenantId, 'tail')).total).toBe(4);
      await eventually(async () => (await rowsInTail(tenantId)) === 0);
      expect((await kiln.search(tenantId, 'tail')).total).toBe(4);

      // The merge after a search may be repeated for its tenant, with its lower limit.
      const unsearched = randomUUID();
      for (let n = 0; n < UNMERGED_UNSEARCHED_MAX / 256; n++) {
        await kiln.index({ tenantId: unsearched, chunks: Array.from({ length: 256 }, () => 'long tail') });
      }
      await eventually(async () => ((await rowsInTail(unsearched)) ?? Infinity) <= 1);
      expect((await kiln.search(unsearched, 'tail')).total).toBe(UNMERGED_UNSEARCHED_MAX / 256);
    } finally {
      await kiln.mergeWorker.stop();
    }
  });

  it('continues for one tenant while the tail of another is damaged', async () => {
    const [damaged, sound] = [randomUUID(), randomUUID()];
    for (const tenantId of [damaged, sound]) await kiln.index({ tenantId, chunks: ['words'] });
    await other.query(`update tail_parts set data = substr(data, 1, 20) where tenant_id = $1`, [damaged]);
    for (const tenantId of [damaged, sound]) kiln.mergeRequests.afterSearch(tenantId, UNMERGED_MAX);
    await expect(kiln.merges.mergeTail(damaged, 1)).rejects.toThrow(/damaged/);
    while (await kiln.mergeWorker.round());
    await kiln.merge(sound);
    expect(await rowsInTail(sound)).toBe(0);
    expect(await rowsInTail(damaged)).toBe(1);
  });
});
