// What every text index must do.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { toNdjson, type SearchHarness } from '../search-harness.js';

/** `start` opens the service with one of the text indexes. */
export const describeSearch = (start: () => Promise<SearchHarness>) => {
  let kiln: SearchHarness;
  let tenantId: string;
  beforeAll(async () => {
    kiln = await start();
    tenantId = randomUUID();
  });
  afterAll(() => kiln.close());

  const found = async (query: string, more = {}) =>
    (await kiln.search(tenantId, query, more)).results.map((result) => result.file_id);

  it('finds a file as soon as the index call has returned', async () => {
    const fileId = await kiln.index({ tenantId, chunks: ['The quick brown foxes', 'jump over lazy dogs'] });
    const { results, total, mode } = await kiln.search(tenantId, 'jumping DOG', { mode: 'hybrid' });
    expect(total).toBe(1);
    expect(mode).toBe('text');
    expect(results[0]?.file_id).toBe(fileId);
    expect(results[0]?.snippet).toBe('<mark>jump</mark> over lazy <mark>dogs</mark>');
    expect(results[0]?.chunk_text).toBe('jump over lazy dogs');
    for (const { score } of results) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThanOrEqual(1);
    }
  });

  it('finds nothing of another tenant', async () => {
    await kiln.index({ tenantId, chunks: ['a secret formula'] });
    expect((await kiln.search(randomUUID(), 'secret formula')).total).toBe(0);
  });

  it('ranks a file with the word in its title above one that only mentions it', async () => {
    const mentioned = await kiln.index({ tenantId, chunks: ['walrus and seal', 'nothing else'], filename: 'a.txt' });
    const titled = await kiln.index({ tenantId, chunks: ['walrus and seal'], title: 'The walrus', filename: 'b.txt' });
    expect(await found('walrus')).toStrictEqual([titled, mentioned]);
  });

  it('finds a file without text by its name', async () => {
    const fileId = await kiln.index({ tenantId, chunks: [], filename: 'holiday_photo-zanzibar.jpg' });
    expect(await found('zanzibar photo')).toStrictEqual([fileId]);
  });

  it('finds text in scripts without spaces, with accents, and with unknown words', async () => {
    const fileId = await kiln.index({ tenantId, chunks: ['機械学習の基礎 Crème brûlée ค้นหาข้อมูล qzxv77'] });
    const queries = ['学習', '礎', 'creme brulee', 'ข้อมูล', 'QZXV77'];
    const results = await Promise.all(queries.map(async (query) => ({ query, found: await found(query) })));
    expect(results).toStrictEqual(queries.map((query) => ({ query, found: [fileId] })));
  });

  it('filters by space, media type and metadata', async () => {
    const metadata = { owner: 'ann', 'nul\0': 'x\0y' };
    const contentType = 'Text/Plain; charset=utf-8';
    const fileId = await kiln.index({ tenantId, chunks: ['narrow gauge'], space: 's1', contentType, metadata });
    await kiln.index({ tenantId, chunks: ['narrow gauge'], space: 's2' });
    expect(await found('gauge')).toHaveLength(2);
    const filters = [{ space: 's1' }, { content_type: 'text/plain' }, { metadata: { owner: 'ann' } }];
    const results = await Promise.all(filters.map(async (filter) => ({ filter, found: await found('gauge', filter) })));
    expect(results).toStrictEqual(filters.map((filter) => ({ filter, found: [fileId] })));
    expect(await found('gauge', { metadata: { owner: 'bob' } })).toStrictEqual([]);
  });

  it('finds a file of a small space by a word that more than 20,000 other passages contain', async () => {
    const tenant = randomUUID();
    const chunks = Array.from({ length: 7_000 }, (_, chunk) => `common common common matter ${chunk % 10}`);
    for (let file = 0; file < 3; file++) await kiln.index({ tenantId: tenant, chunks, space: 'large' });
    const metadata = { owner: 'ann' };
    const only = await kiln.index({ tenantId: tenant, chunks: ['a common one'], space: 'small', metadata });
    for (const merged of [false, true]) {
      if (merged) await kiln.merge(tenant);
      for (const filter of [{ space: 'small' }, { metadata }]) {
        const { results, total } = await kiln.search(tenant, 'common', filter);
        expect([total, results[0]?.file_id]).toStrictEqual([1, only]);
      }
      expect((await kiln.search(tenant, 'common')).total).toBe(4);
    }
  });

  it('counts all matching files, including those beyond the limit', async () => {
    for (let file = 0; file < 5; file++) await kiln.index({ tenantId, chunks: ['plethora', 'plethora again'] });
    const { results, total } = await kiln.search(tenantId, 'plethora', { limit: 2 });
    expect([results.length, total]).toStrictEqual([2, 5]);
  });

  it('never returns markup of a file unescaped', async () => {
    await kiln.index({ tenantId, chunks: [`<script>alert("xss")</script> & 'quoted' <mark>hackle</mark>`] });
    const [result] = (await kiln.search(tenantId, 'alert script hackle')).results;
    expect(result?.snippet).toBe(
      '&lt;<mark>script</mark>&gt;<mark>alert</mark>(&quot;xss&quot;)&lt;/<mark>script</mark>&gt; &amp; ' +
        '&#39;quoted&#39; &lt;mark&gt;<mark>hackle</mark>&lt;/mark&gt;',
    );
  });

  it.each(['the and of', '& | ! :* \' "', '((((', '!!! ???', '😀😀', '\\', '\0', '% _'])(
    'finds nothing for a query without words: %j',
    async (query) => {
      expect((await kiln.search(tenantId, query)).total).toBe(0);
    },
  );

  it('answers unusual queries without an error', async () => {
    const odd = [`fox' | 'dog':*`, 'fox & !dog <-> x', 'x'.repeat(2_000), 'fox '.repeat(500), '1,'.repeat(1_000), 'ﷺ'];
    for (const query of odd) await kiln.search(tenantId, query);
  });

  it('indexes a text of 60,000 different words, and a word of 900,000 letters', async () => {
    const words = Array.from({ length: 60_000 }, (_, word) => `w${word.toString(36)}`).join(' ');
    const fileId = await kiln.index({ tenantId, chunks: [words, 'y'.repeat(900_000), 'echo '.repeat(100_000)] });
    expect(await found('w1')).toStrictEqual([fileId]);
    expect(await found('echo')).toStrictEqual([fileId]);
  });

  it('indexes 5,000 chunks in one call', async () => {
    const chunks = Array.from({ length: 5_000 }, (_, chunk) => `paragraph ${chunk} speaks of topic${chunk}`);
    const { fileId, chunks: count } = await kiln.indexObject({ tenantId }, toNdjson(chunks));
    expect(count).toBe(5_000);
    const { results } = await kiln.search(tenantId, 'topic4711');
    expect(results[0]?.file_id).toBe(fileId);
    expect(results[0]?.chunk_text ?? '').toMatch(/^paragraph 4711 /);
  });

  it('refuses an object that is not NDJSON of chunks, and keeps the previous index', async () => {
    const fileId = randomUUID();
    const file = await kiln.index({ tenantId, fileId, chunks: ['steadfast'] });
    const line = toNdjson(['fine']);
    for (const ndjson of ['not json\n', '{"index":0}\n', line + line, 'z'.repeat(1_100_000)]) {
      const attempt = kiln.indexObject({ tenantId, fileId, jobNumber: 2 }, ndjson);
      await expect(attempt).rejects.toMatchObject({ name: 'CodedError', code: 'BAD_REQUEST' });
    }
    expect(await found('steadfast')).toStrictEqual([file]);
  });
};
