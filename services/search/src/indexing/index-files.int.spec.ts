// Real: Postgres, the object store. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { encodeId, uuidOf } from '@kiln/contracts';
import { RunFenceStore } from '../cancellation/run-fence.store.js';
import { startSearch, toNdjson, type SearchHarness } from '../test/search-harness.js';

const codes = (answers: Awaited<ReturnType<SearchHarness['indexTogether']>>) =>
  answers.map(({ chunks, refusal }) => refusal?.code ?? chunks);

describe('indexing several files in one call', () => {
  let kiln: SearchHarness;
  beforeAll(async () => {
    kiln = await startSearch();
  });
  afterAll(() => kiln.close());

  /** Writing a row changes its `xmin`. */
  const rowsOf = (tenantId: string) => {
    const tables = ['files', 'chunks', 'tail_parts'];
    const ofTable = (table: string) => `select '${table}', file_id, xmin::text from ${table} where tenant_id = $1`;
    return kiln.database.query({ name: '', text: `${tables.map(ofTable).join(' union all ')} order by 1, 2, 3` }, [
      tenantId,
    ]);
  };

  it('makes each file findable, and returns the results in the order of the call', async () => {
    const tenantId = randomUUID();
    const fileIds = Array.from({ length: 20 }, () => randomUUID());
    const letter = (n: number) => String.fromCharCode('a'.charCodeAt(0) + n);
    const wordOf = (n: number, k: number) => `word${letter(n)}${letter(k)}q`;
    const files = fileIds.map((fileId, n) => ({
      fileId,
      title: `Title${letter(n)}q`,
      chunks: Array.from({ length: n % 4 }, (_, k) => `common ${wordOf(n, k)}`),
    }));
    expect(codes(await kiln.indexTogether(tenantId, files))).toStrictEqual(files.map(({ chunks }) => chunks.length));
    const [found, expected]: [Record<string, string[]>, Record<string, string[]>] = [{}, {}];
    for (const [n, fileId] of fileIds.entries()) {
      for (const query of [`Title${letter(n)}q`, ...(n % 4 > 1 ? [wordOf(n, 1)] : [])]) {
        const { results } = await kiln.search(tenantId, query);
        found[query] = results.map(({ file_id }) => file_id);
        expected[query] = [encodeId('file', fileId)];
      }
    }
    expect(found).toStrictEqual(expected);
    expect((await kiln.search(tenantId, 'common', { limit: 100 })).total).toBe(15);
  });

  it('refuses some files and indexes the others', async () => {
    const tenantId = randomUUID();
    const current = randomUUID();
    await kiln.index({ tenantId, fileId: current, jobNumber: 2, chunks: ['current'] });
    const answers = await kiln.indexTogether(tenantId, [
      { chunks: ['first'] },
      { fileId: current, jobNumber: 1, chunks: ['late'] },
      { chunks: ['last'] },
    ]);
    expect(codes(answers)).toStrictEqual([1, 'SUPERSEDED', 1]);
    const totals: Record<string, number> = {};
    for (const word of ['first', 'late', 'last', 'current']) totals[word] = (await kiln.search(tenantId, word)).total;
    expect(totals).toStrictEqual({ first: 1, late: 0, last: 1, current: 1 });
  });

  it('returns the same result when the call is repeated, and changes nothing', async () => {
    const tenantId = randomUUID();
    const files = Array.from({ length: 5 }, (_, n) => ({
      fileId: randomUUID(),
      jobId: randomUUID(),
      chunks: Array.from({ length: n }, () => 'repeated'),
    }));
    const first = await kiln.indexTogether(tenantId, files);
    const before = await rowsOf(tenantId);
    expect(await kiln.indexTogether(tenantId, files)).toStrictEqual(first);
    expect(await rowsOf(tenantId)).toStrictEqual(before);
  });

  it('replaces files that are indexed already, even within one call', async () => {
    const tenantId = randomUUID();
    const [current, twice] = [randomUUID(), randomUUID()];
    await kiln.index({ tenantId, fileId: current, chunks: ['obsolete', 'obsolete'] });
    const answers = await kiln.indexTogether(tenantId, [
      { fileId: current, jobNumber: 2, chunks: ['current'] },
      { fileId: twice, jobNumber: 1, chunks: ['obsolete'] },
      { fileId: twice, jobNumber: 2, chunks: ['current', 'current'] },
      { fileId: twice, jobNumber: 1, fence: 9, chunks: ['obsolete'] },
    ]);
    expect(codes(answers)).toStrictEqual([1, 1, 2, 'SUPERSEDED']);
    expect((await kiln.search(tenantId, 'obsolete')).total).toBe(0);
    expect((await kiln.search(tenantId, 'current')).total).toBe(2);
  });

  it('indexes the other files when one cannot be stored or has wrongly numbered chunks', async () => {
    const tenantId = randomUUID();
    const line = { index: 0, text: 'words', start: 0, end: 5, page: null, heading_path: [] };
    const answers = await kiln.indexTogether(tenantId, [
      { chunks: ['first words'] },
      { chunks: [], lines: [{ ...line, page: 2 ** 40 }] },
      { chunks: [], lines: [{ ...line, index: 1 }] },
      { chunks: ['last words'] },
    ]);
    expect(codes(answers)).toStrictEqual([1, 'INTERNAL_ERROR', 'BAD_REQUEST', 1]);
    expect((await kiln.search(tenantId, 'words')).total).toBe(2);
  });

  it('stores every character of a text', async () => {
    const tenantId = randomUUID();
    const texts = ['quoted "words" \\ {a,b}', ' \n\t', 'null', '', '"', '\\"', '機械 🔥 é'];
    await kiln.indexTogether(tenantId, [
      { chunks: texts, title: texts[0] ?? null },
      { chunks: texts.map((text) => text + text) },
    ]);
    const bodies = { name: '', text: 'select body from chunks where tenant_id = $1' };
    const stored = await kiln.database.query<{ body: string }>(bodies, [tenantId]);
    expect(stored.map(({ body }) => body).toSorted()).toStrictEqual([...texts, ...texts.map((t) => t + t)].toSorted());
  });

  it('accepts any number of chunks with any text, in the call or by key', async () => {
    const tenantId = randomUUID();
    const chunks = Array.from({ length: 1_200 }, (_, n) => `paragraph\0 topic${n} \ud800`);
    const answers = await kiln.indexTogether(tenantId, [{ chunks }, { chunks: ['paragraph'] }]);
    expect(codes(answers)).toStrictEqual([1_200, 1]);
    const { chunks: byKey } = await kiln.indexObject({ tenantId }, toNdjson(chunks));
    expect(byKey).toBe(1_200);
    for (const topic of [0, 499, 500, 1_199]) expect((await kiln.search(tenantId, `topic${topic}`)).total).toBe(2);
  });

  it('never deadlocks, however the files of calls, removals and refusals overlap', async () => {
    const tenantId = randomUUID();
    const { removals } = kiln;
    const refusals = new RunFenceStore(kiln.database);
    for (let round = 1; round <= 6; round++) {
      const files = Array.from({ length: 30 }, () => ({
        fileId: randomUUID(),
        jobId: randomUUID(),
        chunks: ['overlap'],
      }));
      const removed = files.slice(0, 5);
      const refused = files.slice(5, 10);
      for (const { fileId } of removed) await removals.remove(kiln.database, tenantId, fileId);
      const refuse = ({ fileId, jobId }: (typeof files)[0]) =>
        kiln.database.transaction((transaction) => refusals.refuse(transaction, tenantId, fileId, { jobId, fence: 2 }));
      const calls = await Promise.all([
        kiln.indexTogether(tenantId, files),
        kiln.indexTogether(tenantId, files.toReversed()),
        kiln.indexTogether(tenantId, files.slice(3, 20)),
        Promise.all(files.slice(8, 14).map((file) => kiln.index({ tenantId, ...file }).catch(assertSuperseded))),
        Promise.all(refused.map(refuse)),
        removals.removeNext(),
        kiln.mergeWorker.maintain(tenantId, 1),
      ]);
      for (const { chunks, refusal } of calls[0].slice(10)) expect([chunks, refusal]).toStrictEqual([1, null]);
      await kiln.merge(tenantId);
      const { results } = await kiln.search(tenantId, 'overlap', { limit: 200 });
      const found = new Set(results.map((result) => uuidOf('file', result.file_id)));
      for (const { fileId } of files.slice(10)) expect(found).toContain(fileId);
      for (const { fileId } of removed) expect(found).not.toContain(fileId);
      expect(found.size).toBe(results.length);
    }
    expect(await countDeadlocks()).toBe(0);
  });

  async function countDeadlocks(): Promise<number> {
    const client = await kiln.database.dedicatedClient();
    // A session reports its deadlocks when it ends.
    await client.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`);
    const text = 'select deadlocks::int from pg_stat_database where datname = current_database()';
    const { rows } = await client.query<{ deadlocks: number }>(text);
    await client.end();
    return rows[0]?.deadlocks ?? Number.NaN;
  }
});

const assertSuperseded = (error: unknown) => expect((error as { code?: string }).code).toBe('SUPERSEDED');
