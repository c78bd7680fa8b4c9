// Real: Postgres, the object store. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { statement } from '@kiln/platform';
import { indexTerm } from '../analysis/domain/index-term.js';
import { NUMBERS_PER_WINDOW } from '../postings/domain/number-set.js';
import type { IndexStart } from '../searching/domain/index-reader.js';
import { readIndex, WITH_ALL_FACETS } from '../text-index/read-index.statements.js';
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
const collected = statement('test.collected', 'select 1 from collected_windows where tenant_id = $1');
const ranges = statement('test.ranges', 'select 1 from removed_ranges where tenant_id = $1');
const skipNumbers = statement('test.skip_numbers', 'update tenant_indexes set next_number = $2 where tenant_id = $1');

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
      // A version that is removed while a purge is running waits for the next purge. Searches find its numbers in a window.
      await kiln.index({ tenantId, fileId: files[0] ?? '', jobNumber: nextJob(), chunks: [textOf(0, 'recent')] });
      expect(await purges.collectRemoved(tenantId, 1)).toBe(true);
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

  describe('that lasts while many more files are removed', () => {
    const rowsOf = async (tenantId: string, terms: readonly string[]) => {
      const [row] = await kiln.database.query<IndexStart>(readIndex, [
        tenantId,
        terms,
        4_194_304,
        true,
        ...WITH_ALL_FACETS,
      ]);
      return { ranges: row?.removed_ranges?.length ?? 0, windows: row?.removed_windows?.length ?? 0 };
    };
    const termsOf = async (tenantId: string) =>
      (await kiln.database.query<{ term: string }>(postings, [tenantId])).map(({ term }) => term);

    it('leaves few rows of them to a search, and all postings are purged in the end', async () => {
      const tenantId = randomUUID();
      const files = await replaceSome(tenantId, 20);
      while (await kiln.merges.mergeTail(tenantId, 1));
      while (await purges.collectRemoved(tenantId, 1));
      const before = await rowsOf(tenantId, await termsOf(tenantId));
      expect(before).toStrictEqual({ ranges: 0, windows: 1 });
      expect(await purges.purgeNext(tenantId)).toBe(true);
      for (const fileId of files.slice(0, 29))
        await kiln.index({ tenantId, fileId, jobNumber: nextJob(), chunks: ['new'] });
      expect(await rowsOf(tenantId, await termsOf(tenantId))).toStrictEqual({ ranges: 29, windows: 1 });
      while (await purges.collectRemoved(tenantId, 10));
      expect(await rowsOf(tenantId, await termsOf(tenantId))).toStrictEqual({ ranges: 0, windows: 2 });
      expect(await counts(tenantId)).toStrictEqual([1, 0, 1]);
      await kiln.merge(tenantId);
      expect(await counts(tenantId)).toStrictEqual([1, 0, 1]);
      const fresh = randomUUID();
      for (const n of files.keys()) {
        await kiln.index({ tenantId: fresh, chunks: [n < 29 ? 'new' : textOf(n, 'ancient')] });
      }
      await kiln.merge(fresh);
      expect(await stateOf(tenantId)).toStrictEqual(await stateOf(fresh));
      expect(await kiln.database.query(collected, [tenantId])).toStrictEqual([]);
    });

    it('is read as the release before does it: its rows of removed ranges remain until they are in a window', async () => {
      const tenantId = randomUUID();
      const files = await replaceSome(tenantId, 20);
      while (await kiln.merges.mergeTail(tenantId, 1));
      while (await purges.collectRemoved(tenantId, 1));
      await purges.purgeNext(tenantId);
      await kiln.index({ tenantId, fileId: files[0] ?? '', jobNumber: nextJob(), chunks: ['new'] });
      await purges.collectRemoved(tenantId, 1);
      expect(await kiln.database.query(ranges, [tenantId])).toHaveLength(1);
      await kiln.merge(tenantId);
      expect(await kiln.database.query(ranges, [tenantId])).toHaveLength(0);
      expect(await kiln.database.query(windows, [tenantId])).toHaveLength(1);
    });
  });

  it('costs a search only the windows in which its words have postings', async () => {
    const tenantId = randomUUID();
    await replaceSome(tenantId, 2);
    await kiln.merge(tenantId);
    // The next files get numbers in a later window.
    const far = 40 * NUMBERS_PER_WINDOW;
    await kiln.database.query(skipNumbers, [tenantId, far]);
    const late = randomUUID();
    await kiln.index({ tenantId, fileId: late, jobNumber: nextJob(), chunks: ['late'] });
    await kiln.index({ tenantId, chunks: ['late'] });
    await kiln.merge(tenantId);
    await kiln.index({ tenantId, fileId: late, jobNumber: nextJob(), chunks: ['later'] });
    await purges.collectRemoved(tenantId, 1);
    expect(await kiln.database.query(windows, [tenantId])).toHaveLength(2);
    const [row] = await kiln.database.query<IndexStart>(readIndex, [
      tenantId,
      [indexTerm('english', 'late')],
      4_194_304,
      true,
      ...WITH_ALL_FACETS,
    ]);
    expect(row?.removed_windows?.map(([window]) => window)).toStrictEqual([40]);
    expect((await kiln.search(tenantId, 'late')).total).toBe(1);
  });
});
