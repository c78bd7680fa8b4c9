import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { CodedError } from '@kiln/contracts';
import { startSearch, toNdjson, type SearchHarness } from './search-harness.js';

describe('search', () => {
  let kiln: SearchHarness;
  let tenantId: string;
  before(async () => {
    kiln = await startSearch();
    tenantId = randomUUID();
  });
  after(() => kiln.close());

  const found = async (query: string, more = {}) =>
    (await kiln.search(tenantId, query, more)).results.map((result) => result.file_id);

  it('finds a file as soon as indexing has answered', async () => {
    const fileId = await kiln.index({ tenantId, chunks: ['The quick brown foxes', 'jump over lazy dogs'] });
    const { results, total, mode } = await kiln.search(tenantId, 'jumping DOG', { mode: 'hybrid' });
    assert.equal(total, 1);
    assert.equal(mode, 'text');
    assert.equal(results[0]?.file_id, fileId);
    assert.equal(results[0]?.snippet, '<mark>jump</mark> over lazy <mark>dogs</mark>');
    assert.equal(results[0]?.chunk_text, 'jump over lazy dogs');
    assert.ok(results.every(({ score }) => score > 0 && score <= 1));
  });

  it('finds nothing of another tenant', async () => {
    await kiln.index({ tenantId, chunks: ['a secret formula'] });
    assert.equal((await kiln.search(randomUUID(), 'secret formula')).total, 0);
  });

  it('ranks a file whose title holds the word before one that only mentions it', async () => {
    const mentioned = await kiln.index({ tenantId, chunks: ['walrus and seal', 'nothing else'], filename: 'a.txt' });
    const titled = await kiln.index({ tenantId, chunks: ['walrus and seal'], title: 'The walrus', filename: 'b.txt' });
    assert.deepEqual(await found('walrus'), [titled, mentioned]);
  });

  it('finds a file without text by its name', async () => {
    const fileId = await kiln.index({ tenantId, chunks: [], filename: 'holiday_photo-zanzibar.jpg' });
    assert.deepEqual(await found('zanzibar photo'), [fileId]);
  });

  it('finds text of scripts without spaces, with accents and unknown words', async () => {
    const fileId = await kiln.index({ tenantId, chunks: ['機械学習の基礎 Crème brûlée ค้นหาข้อมูล qzxv77'] });
    for (const query of ['学習', '礎', 'creme brulee', 'ข้อมูล', 'QZXV77']) {
      assert.deepEqual(await found(query), [fileId], query);
    }
  });

  it('narrows by space, media type and metadata', async () => {
    const metadata = { owner: 'ann', 'nul\0': 'x\0y' };
    const contentType = 'Text/Plain; charset=utf-8';
    const fileId = await kiln.index({ tenantId, chunks: ['narrow gauge'], space: 's1', contentType, metadata });
    await kiln.index({ tenantId, chunks: ['narrow gauge'], space: 's2' });
    assert.equal((await found('gauge')).length, 2);
    for (const filter of [{ space: 's1' }, { content_type: 'text/plain' }, { metadata: { owner: 'ann' } }]) {
      assert.deepEqual(await found('gauge', filter), [fileId], JSON.stringify(filter));
    }
    assert.deepEqual(await found('gauge', { metadata: { owner: 'bob' } }), []);
  });

  it('finds a file of a small space by a word that more than 20,000 other passages repeat', async () => {
    const tenant = randomUUID();
    const chunks = Array.from({ length: 7_000 }, (_, chunk) => `common common common matter ${chunk % 10}`);
    for (let file = 0; file < 3; file++) await kiln.index({ tenantId: tenant, chunks, space: 'large' });
    const metadata = { owner: 'ann' };
    const only = await kiln.index({ tenantId: tenant, chunks: ['a common one'], space: 'small', metadata });
    for (const merged of [false, true]) {
      if (merged) await kiln.merge(tenant);
      for (const filter of [{ space: 'small' }, { metadata }]) {
        const { results, total } = await kiln.search(tenant, 'common', filter);
        assert.deepEqual([total, results[0]?.file_id], [1, only]);
      }
      assert.equal((await kiln.search(tenant, 'common')).total, 4);
    }
  });

  it('counts all matching files beyond the limit', async () => {
    for (let file = 0; file < 5; file++) await kiln.index({ tenantId, chunks: ['plethora', 'plethora again'] });
    const { results, total } = await kiln.search(tenantId, 'plethora', { limit: 2 });
    assert.deepEqual([results.length, total], [2, 5]);
  });

  it('never lets markup of a file come out live', async () => {
    await kiln.index({ tenantId, chunks: [`<script>alert("xss")</script> & 'quoted' <mark>hackle</mark>`] });
    const [result] = (await kiln.search(tenantId, 'alert script hackle')).results;
    assert.equal(
      result?.snippet,
      '&lt;<mark>script</mark>&gt;<mark>alert</mark>(&quot;xss&quot;)&lt;/<mark>script</mark>&gt; &amp; ' +
        '&#39;quoted&#39; &lt;mark&gt;<mark>hackle</mark>&lt;/mark&gt;',
    );
  });

  it('answers any query without an error', async () => {
    const empty = ['the and of', '& | ! :* \' "', '((((', '!!! ???', '😀😀', '\\', '\0', '% _'];
    for (const query of empty) assert.equal((await kiln.search(tenantId, query)).total, 0, query);
    const odd = [`fox' | 'dog':*`, 'fox & !dog <-> x', 'x'.repeat(2_000), 'fox '.repeat(500), '1,'.repeat(1_000), 'ﷺ'];
    for (const query of odd) await kiln.search(tenantId, query);
  });

  it('refuses mode vector, naming the missing setting', async () => {
    const refusal = { code: 'BAD_REQUEST', message: /KILN_EMBEDDING_URL/ };
    await assert.rejects(kiln.search(tenantId, 'fox', { mode: 'vector' }), refusal);
  });

  it('indexes a text of 60,000 different words, and one of a word of 900,000 letters', async () => {
    const words = Array.from({ length: 60_000 }, (_, word) => `w${word.toString(36)}`).join(' ');
    const fileId = await kiln.index({ tenantId, chunks: [words, 'y'.repeat(900_000), 'echo '.repeat(100_000)] });
    assert.deepEqual(await found('w1'), [fileId]);
    assert.deepEqual(await found('echo'), [fileId]);
  });

  it('indexes 5,000 chunks in one call', async () => {
    const chunks = Array.from({ length: 5_000 }, (_, chunk) => `paragraph ${chunk} speaks of topic${chunk}`);
    const { fileId, chunks: count } = await kiln.indexObject({ tenantId }, toNdjson(chunks));
    assert.equal(count, 5_000);
    const { results } = await kiln.search(tenantId, 'topic4711');
    assert.equal(results[0]?.file_id, fileId);
    assert.match(results[0]?.chunk_text ?? '', /^paragraph 4711 /);
  });

  it('refuses an object that is no NDJSON of chunks, and leaves what was there', async () => {
    const fileId = randomUUID();
    const file = await kiln.index({ tenantId, fileId, chunks: ['steadfast'] });
    const line = toNdjson(['fine']);
    for (const ndjson of ['not json\n', '{"index":0}\n', line + line, 'z'.repeat(1_100_000)]) {
      const attempt = kiln.indexObject({ tenantId, fileId, jobNumber: 2 }, ndjson);
      await assert.rejects(attempt, (error) => error instanceof CodedError && error.code === 'BAD_REQUEST');
    }
    assert.deepEqual(await found('steadfast'), [file]);
  });
});
