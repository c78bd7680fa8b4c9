// Real: Postgres, the object store. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { statement } from '@kiln/platform';
import { PurgeStore } from './purge.store.js';
import { startSearch, type SearchHarness } from '../test/search-harness.js';

const postings = statement(
  'test.postings',
  'select term, sum(count)::int as count from posting_blocks where tenant_id = $1 group by term order by term',
);
const totals = statement(
  'test.totals',
  `select chunks, chunk_length, titles, title_length, removed_chunks, removed_titles, purge_term
     from tenant_indexes where tenant_id = $1`,
);
const windows = statement('test.windows', 'select 1 from removed_windows where tenant_id = $1');

let jobs = 0;
const nextJob = () => ++jobs;

describe('purging what was replaced', () => {
  let kiln: SearchHarness;
  let purges: PurgeStore;
  beforeAll(async () => {
    kiln = await startSearch();
    purges = new PurgeStore(kiln.database);
  });
  afterAll(() => kiln.close());

  const stateOf = async (tenantId: string) => ({
    postings: await kiln.database.query(postings, [tenantId]),
    totals: await kiln.database.query(totals, [tenantId]),
  });
  const textOf = (n: number, version: string) =>
    `${version} common ${Array.from({ length: 20 }, (_, k) => `word${n}x${k}`).join(' ')}`;
  /** Replaces `replaced` of 30 merged files, and merges the new versions. */
  const replaceSome = async (tenantId: string, replaced: number) => {
    const files = Array.from({ length: 30 }, () => randomUUID());
    for (const [n, fileId] of files.entries()) {
      await kiln.index({ tenantId, fileId, jobNumber: nextJob(), chunks: [textOf(n, 'ancient')] });
    }
    await kiln.merge(tenantId);
    for (const [n, fileId] of files.slice(0, replaced).entries()) {
      await kiln.index({ tenantId, fileId, jobNumber: nextJob(), chunks: [textOf(n, 'recent')] });
    }
    return files;
  };
  const counts = async (tenantId: string) => [
    (await kiln.search(tenantId, 'ancient')).total,
    (await kiln.search(tenantId, 'recent')).total,
    (await kiln.search(tenantId, 'common')).total,
  ];

  it('leaves postings and totals as if the earlier versions had never existed', async () => {
    const [tenantId, fresh] = [randomUUID(), randomUUID()];
    await replaceSome(tenantId, 20);
    await kiln.merge(tenantId);
    for (let n = 0; n < 30; n++)
      await kiln.index({ tenantId: fresh, chunks: [textOf(n, n < 20 ? 'recent' : 'ancient')] });
    await kiln.merge(fresh);
    expect(await stateOf(tenantId)).toStrictEqual(await stateOf(fresh));
    expect(await kiln.database.query(windows, [tenantId])).toStrictEqual([]);
    expect(await counts(tenantId)).toStrictEqual([10, 20, 30]);
  });

  it('begins only when a quarter of the merged passages is removed', async () => {
    const tenantId = randomUUID();
    await replaceSome(tenantId, 3);
    await kiln.merge(tenantId);
    expect(await kiln.database.query(windows, [tenantId])).toHaveLength(1);
    expect(await counts(tenantId)).toStrictEqual([27, 3, 30]);
  });

  it('continues where it stopped when the process died, and no search finds a removed passage at any moment', async () => {
    const tenantId = randomUUID();
    const files = await replaceSome(tenantId, 20);
    while (await kiln.merges.mergeTail(tenantId, 1));
    while (await purges.collectRemoved(tenantId, 1));
    let steps = 0;
    for (let more = true; more; steps++) {
      // Another instance runs each step, as after a restart.
      more = await new PurgeStore(kiln.database).purgeNext(tenantId);
      expect(await counts(tenantId)).toStrictEqual([10, 20, 30]);
      if (steps > 0) continue;
      // A version that is removed while a purge is running waits for the next purge.
      await kiln.index({ tenantId, fileId: files[0] ?? '', jobNumber: nextJob(), chunks: [textOf(0, 'recent')] });
      expect(await purges.collectRemoved(tenantId, 1)).toBe(false);
    }
    expect(steps).toBeGreaterThan(2);
    expect(await purges.collectRemoved(tenantId, 1)).toBe(true);
    expect(await counts(tenantId)).toStrictEqual([10, 20, 30]);
  });

  it('purges each block once, however many processes purge at once', async () => {
    const [alone, together] = [randomUUID(), randomUUID()];
    for (const tenantId of [alone, together]) {
      await replaceSome(tenantId, 20);
      while (await kiln.merges.mergeTail(tenantId, 1));
    }
    await kiln.merge(alone);
    for (let round = 0; round < 20; round++) {
      await Promise.all(Array.from({ length: 5 }, () => kiln.mergeWorker.maintain(together, 1)));
    }
    expect(await stateOf(together)).toStrictEqual(await stateOf(alone));
  });
});
