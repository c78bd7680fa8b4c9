// Real: Postgres, the object store. Faked: nothing.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { uuidOf } from '@kiln/contracts';
import { statement, type Database, type Queryable } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { WAITING_MAX } from '../usecases/maintain-index.usecase.js';
import { startSearch, type SearchHarness } from './search-harness.js';

const inTail = statement('test.in_tail', 'select count(*)::int as rows from index_tail where tenant_id = $1');
const postings = statement(
  'test.postings',
  'select term, sum(count)::int as count from posting_block where tenant_id = $1 group by term order by term',
);
const totals = statement(
  'test.totals',
  `select chunks, chunk_length, titles, title_length, removed_chunks, removed_titles from tenant_index where tenant_id = $1`,
);
const BLOCKED = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

describe('merging the tail of a tenant', () => {
  let kiln: SearchHarness;
  let other: Awaited<ReturnType<Database['dedicatedClient']>>;
  before(async () => {
    kiln = await startSearch();
    other = await kiln.database.dedicatedClient();
    // As the superuser that it logged in as, it sees what others wait for, and may end them.
    await other.query('set role none');
  });
  after(async () => {
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

  it('changes no answer', async () => {
    const tenantId = randomUUID();
    await indexSome(tenantId, 12);
    const before = await answerOf(tenantId, 'common word7');
    await kiln.merge(tenantId);
    assert.equal(await rowsInTail(tenantId), 0);
    assert.deepEqual(await answerOf(tenantId, 'common word7'), before);
  });

  it('takes a file of many batches in parts, and finds all of it in between', async () => {
    const tenantId = randomUUID();
    const chunks = Array.from({ length: 1_700 }, (_, n) => `paragraph about topic${n}`);
    await kiln.index({ tenantId, chunks });
    const parts = [await rowsInTail(tenantId)];
    while (await kiln.merges.mergeTail(tenantId, 1)) {
      parts.push(await rowsInTail(tenantId));
      for (const topic of [3, 700, 1_699]) {
        const { results, total } = await kiln.search(tenantId, `topic${topic} paragraph`);
        assert.equal(total, 1);
        assert.match(results[0]?.chunk_text ?? '', new RegExp(`topic${topic}$`));
      }
    }
    assert.deepEqual(parts, [4, 3, 2, 1, 0]);
  });

  it('takes each passage once, however many processes merge', async () => {
    const [alone, together] = [randomUUID(), randomUUID()];
    for (const tenantId of [alone, together]) await indexSome(tenantId, 40);
    while (await kiln.merges.mergeTail(alone, 1));
    while ((await rowsInTail(together)) !== 0) {
      await Promise.all(Array.from({ length: 6 }, () => kiln.merges.mergeTail(together, 1)));
    }
    assert.deepEqual(await stateOf(kiln.database, together), await stateOf(kiln.database, alone));
  });

  it('leaves all as it was when the process dies in it, and then succeeds', async () => {
    const tenantId = randomUUID();
    await indexSome(tenantId, 3);
    await kiln.merge(tenantId);
    await indexSome(tenantId, 3);
    const [answer, state] = [await answerOf(tenantId, 'common word1'), await stateOf(kiln.database, tenantId)];
    // The last statement of the merge waits for this row; then its connection is gone.
    await other.query('begin');
    await other.query('select 1 from tenant_index where tenant_id = $1 for update', [tenantId]);
    const merge = assert.rejects(kiln.merges.mergeTail(tenantId, 1), { code: 'UNAVAILABLE' });
    const pid = await eventually(async () => (await other.query<{ pid: number }>(BLOCKED)).rows[0]?.pid ?? false);
    await other.query('select pg_terminate_backend($1)', [pid]);
    await merge;
    await other.query('rollback');
    assert.deepEqual(await answerOf(tenantId, 'common word1'), answer);
    assert.deepEqual(await stateOf(kiln.database, tenantId), state);
    await kiln.merge(tenantId);
    assert.equal(await rowsInTail(tenantId), 0);
    assert.deepEqual(await answerOf(tenantId, 'common word1'), answer);
  });

  it('passes by a file that a writer or a deletion holds, without waiting', async () => {
    const tenantId = randomUUID();
    const held = await kiln.index({ tenantId, chunks: ['held'] });
    await kiln.index({ tenantId, chunks: ['free'] });
    await other.query('begin');
    await other.query('select 1 from file where file_id = $1 for update', [uuidOf('file', held)]);
    while (await kiln.merges.mergeTail(tenantId, 1));
    assert.equal(await rowsInTail(tenantId), 1);
    await other.query('rollback');
    await kiln.merge(tenantId);
    assert.equal(await rowsInTail(tenantId), 0);
    for (const word of ['held', 'free']) assert.equal((await kiln.search(tenantId, word)).total, 1);
  });

  it('begins by itself once a search or a write has seen a long tail', async () => {
    const tenantId = randomUUID();
    kiln.maintainIndex.onApplicationBootstrap();
    try {
      for (let n = 0; n < 3; n++) await kiln.index({ tenantId, chunks: ['short tail'] });
      assert.equal(await rowsInTail(tenantId), 3);
      await kiln.index({ tenantId, chunks: Array.from({ length: WAITING_MAX }, (_, n) => `long tail ${n}`) });
      await eventually(async () => (await rowsInTail(tenantId)) === 0);
      assert.equal((await kiln.search(tenantId, 'tail')).total, 4);
    } finally {
      await kiln.maintainIndex.onApplicationShutdown();
    }
  });

  it('of one tenant goes on while the tail of another is damaged', async () => {
    const [damaged, sound] = [randomUUID(), randomUUID()];
    for (const tenantId of [damaged, sound]) await kiln.index({ tenantId, chunks: ['words'] });
    await other.query(`update index_tail set data = substr(data, 1, 20) where tenant_id = $1`, [damaged]);
    for (const tenantId of [damaged, sound]) kiln.maintainIndex.notice(tenantId, WAITING_MAX);
    await assert.rejects(kiln.merges.mergeTail(damaged, 1), /damaged/);
    while (await kiln.maintainIndex.round());
    await kiln.merge(sound);
    assert.equal(await rowsInTail(sound), 0);
    assert.equal(await rowsInTail(damaged), 1);
  });
});
