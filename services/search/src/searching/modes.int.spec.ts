// Real: Postgres, the object store, the thread that holds vectors. Faked: the provider of embeddings, whose vectors are known; the files service.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidOf } from '@kiln/contracts';
import { startSearch, type FileOfSpec, type SearchHarness } from '../test/search-harness.js';
import { v7 as uuidv7 } from 'uuid';

describe('the modes of a search', () => {
  let kiln: SearchHarness;
  beforeAll(async () => {
    kiln = await startSearch();
  });
  afterEach(() => void Object.assign(kiln.vectors, { isThere: true, isDown: false }));
  afterAll(() => kiln.close());

  const direction = (x: number, y: number, z = 0) => [x, y, z];
  const embedded = (text: string, vector: number[], more: Partial<FileOfSpec> = {}) => ({
    chunks: [text],
    vectors: [vector],
    ...more,
  });
  const modeOf = async (tenantId: string, mode: 'text' | 'vector' | 'hybrid', query: string, more = {}) => {
    const { results, ...rest } = await kiln.search(tenantId, query, { mode, ...more });
    return { ...rest, texts: results.map(({ chunk_text: text }) => text), scores: results.map(({ score }) => score) };
  };
  const remove = (tenantId: string, fileId: string) => kiln.remove(tenantId, uuidOf('file', fileId));

  it('vector: ranks files by the cosine of their best chunk with the query, without a common word', async () => {
    const tenantId = uuidv7();
    await kiln.index({ tenantId, ...embedded('heat', direction(1, 0)) });
    await kiln.index({ tenantId, ...embedded('cold', direction(-1, 0)) });
    await kiln.index({ tenantId, chunks: ['lukewarm', 'tepid'], vectors: [direction(0, 1), direction(3, 4)] });
    await kiln.index({ tenantId, chunks: ['a file without vectors'] });
    kiln.vectors.set('fire', direction(2, 0));
    const found = await modeOf(tenantId, 'vector', 'fire');
    expect(found).toMatchObject({ texts: ['heat', 'tepid', 'cold'], total: 3, mode: 'vector', query: 'fire' });
    expect(found.scores.map((score) => score.toFixed(3))).toStrictEqual(['1.000', '0.600', '0.000']);
  });

  it('vector: returns texts and snippets like a text search', async () => {
    const tenantId = uuidv7();
    await kiln.index({ tenantId, ...embedded('the <kiln> is hot', direction(1, 0)) });
    kiln.vectors.set('kilns', direction(1, 0));
    const { results } = await kiln.search(tenantId, 'kilns', { mode: 'vector' });
    expect(results[0]).toMatchObject({
      chunk_text: 'the <kiln> is hot',
      chunk_text_truncated: false,
      snippet: 'the &lt;<mark>kiln</mark>&gt; is hot',
    });
  });

  it('hybrid: finds by words and by meaning', async () => {
    const tenantId = uuidv7();
    await kiln.index({ tenantId, ...embedded('glaze and more glaze', direction(0, 1)) });
    await kiln.index({ tenantId, ...embedded('enamel', direction(0.9, 0.1)) });
    await kiln.index({ tenantId, ...embedded('a word on glaze', direction(1, 0)) });
    kiln.vectors.set('glaze', direction(1, 0));
    const found = await modeOf(tenantId, 'hybrid', 'glaze');
    expect(found).toMatchObject({
      texts: ['glaze and more glaze', 'a word on glaze', 'enamel'],
      total: 3,
      mode: 'hybrid',
    });
    for (const score of found.scores) expect(score > 0 && score <= 1).toBe(true);
  });

  it('hybrid: finds among the first three what only vectors find, when thirty files hold a common word of the query', async () => {
    const tenantId = uuidv7();
    for (let at = 0; at < 30; at++) {
      const text = `The policy of department ${at} on parking.`;
      await kiln.index({ tenantId, ...embedded(text, direction(0.15 + at / 300, 1, at / 60)) });
    }
    await kiln.index({ tenantId, ...embedded('Annual leave entitlement is thirty days.', direction(0.7, 0.7, 0.1)) });
    kiln.vectors.set('vacation policy', direction(1, 0));
    const { texts, total } = await modeOf(tenantId, 'hybrid', 'vacation policy');
    expect(texts.slice(0, 3)).toContain('Annual leave entitlement is thirty days.');
    expect(total).toBe(31);
    const byWords = await modeOf(tenantId, 'hybrid', 'vacation policy', { hybrid: { weight: 0 } });
    expect(byWords.texts).not.toContain('Annual leave entitlement is thirty days.');
  });

  it('hybrid: answers by text without a provider, without vectors, and while the provider fails', async () => {
    const tenantId = uuidv7();
    await kiln.index({ tenantId, chunks: ['glaze'] });
    expect(await modeOf(tenantId, 'hybrid', 'glaze')).toMatchObject({ texts: ['glaze'], mode: 'text' });
    await kiln.index({ tenantId, ...embedded('enamel', direction(1, 0)) });
    expect(await modeOf(tenantId, 'hybrid', 'glaze')).toMatchObject({ mode: 'hybrid', total: 2 });
    kiln.vectors.isDown = true;
    expect(await modeOf(tenantId, 'hybrid', 'glaze')).toMatchObject({ texts: ['glaze'], total: 1, mode: 'text' });
    kiln.vectors.isThere = false;
    expect(await modeOf(tenantId, 'hybrid', 'glaze')).toMatchObject({ texts: ['glaze'], mode: 'text' });
  });

  it('vector: is refused without a provider, naming the setting, and fails cleanly while it is down', async () => {
    const tenantId = uuidv7();
    await kiln.index({ tenantId, ...embedded('enamel', direction(1, 0)) });
    kiln.vectors.isDown = true;
    await expect(modeOf(tenantId, 'vector', 'glaze')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    kiln.vectors.isThere = false;
    const refusal = { code: 'BAD_REQUEST', message: expect.stringContaining('KILN_EMBEDDING_URL') as unknown };
    await expect(modeOf(tenantId, 'vector', 'glaze')).rejects.toMatchObject(refusal);
  });

  it('filters apply before ranking, in both modes', async () => {
    const tenantId = uuidv7();
    const about = { space: 'attic', contentType: 'text/plain', metadata: { year: '1999' } };
    await kiln.index({ tenantId, ...embedded('near but elsewhere', direction(1, 0), { space: 'cellar' }) });
    await kiln.index({ tenantId, ...embedded('far and here', direction(0, 1), about) });
    kiln.vectors.set('near', direction(1, 0));
    for (const filter of [{ space: 'attic' }, { content_type: 'text/plain' }, { metadata: { year: '1999' } }]) {
      expect(await modeOf(tenantId, 'vector', 'near', filter)).toMatchObject({ texts: ['far and here'], total: 1 });
      expect((await modeOf(tenantId, 'hybrid', 'near', filter)).texts).toStrictEqual(['far and here']);
    }
    expect(await modeOf(tenantId, 'vector', 'near', { space: 'nowhere' })).toMatchObject({ texts: [], total: 0 });
  });

  it('phrases and exclusions hold in every mode, and excluded words are not embedded', async () => {
    const tenantId = uuidv7();
    await kiln.index({ tenantId, ...embedded('hot clay', direction(1, 0)) });
    await kiln.index({ tenantId, ...embedded('hot clay with glaze', direction(1, 0)) });
    kiln.vectors.set('hot clay', direction(1, 0));
    for (const mode of ['vector', 'hybrid'] as const) {
      const { texts } = await modeOf(tenantId, mode, '"hot clay" -glaze');
      expect([mode, texts]).toStrictEqual([mode, ['hot clay']]);
    }
    expect(kiln.vectors.asked.at(-1)).toBe('small: hot clay');
    expect(await modeOf(tenantId, 'vector', '-glaze')).toMatchObject({ texts: [], total: 0, mode: 'vector' });
  });

  it('a query of stop words is found by meaning', async () => {
    const tenantId = uuidv7();
    await kiln.index({ tenantId, ...embedded('a soliloquy', direction(1, 0)) });
    kiln.vectors.set('to be or not to be', direction(1, 0));
    expect(await modeOf(tenantId, 'hybrid', 'to be or not to be')).toMatchObject({ texts: ['a soliloquy'], total: 1 });
  });

  it('what was indexed is found at once, a replaced version or a deleted file never', async () => {
    const tenantId = uuidv7();
    kiln.vectors.set('q', direction(1, 0));
    const texts = async () => (await modeOf(tenantId, 'vector', 'q')).texts;
    const fileId = uuidv7();
    const encoded = await kiln.index({ tenantId, fileId, ...embedded('first', direction(1, 0)) });
    expect(await texts()).toStrictEqual(['first']);
    await kiln.index({ tenantId, fileId, fence: 2, ...embedded('second', direction(1, 0)) });
    expect(await texts()).toStrictEqual(['second']);
    await kiln.index({ tenantId, ...embedded('other', direction(1, 1)) });
    expect(await texts()).toStrictEqual(['second', 'other']);
    // The files service knows of a deletion before the index does.
    kiln.deletedFiles.add(fileId);
    expect(await texts()).toStrictEqual(['other']);
    kiln.deletedFiles.delete(fileId);
    await remove(tenantId, encoded);
    expect(await texts()).toStrictEqual(['other']);
  });

  it('a file that is indexed without vectors loses those that it had', async () => {
    const tenantId = uuidv7();
    kiln.vectors.set('q', direction(1, 0));
    const fileId = uuidv7();
    await kiln.index({ tenantId, fileId, ...embedded('first', direction(1, 0)) });
    await kiln.index({ tenantId, fileId, fence: 2, chunks: ['second'] });
    expect(await modeOf(tenantId, 'vector', 'q')).toMatchObject({ texts: [], total: 0 });
    expect(await modeOf(tenantId, 'hybrid', 'second')).toMatchObject({ texts: ['second'], mode: 'text' });
  });

  it('files of several models are searched, each by its own, and merged by how surprising their cosines are', async () => {
    const tenantId = uuidv7();
    kiln.vectors.set('q', direction(1, 0));
    const unrelated = { small: direction(0.1, 1), large: direction(0.8, 0.6) };
    for (const [model, vector] of Object.entries(unrelated))
      for (let at = 0; at < 8; at++) await kiln.index({ tenantId, ...embedded(`${model} ${at}`, vector, { model }) });
    await kiln.index({ tenantId, ...embedded('small, related', direction(0.6, 0.8)) });
    await kiln.index({ tenantId, ...embedded('large, hardly related', direction(0.81, 0.59), { model: 'large' }) });
    await kiln.index({ tenantId, ...embedded('large, the same', direction(1, 0), { model: 'large' }) });
    const { texts } = await modeOf(tenantId, 'vector', 'q');
    expect(texts.slice(0, 3)).toStrictEqual(['large, the same', 'small, related', 'large, hardly related']);
    expect(kiln.vectors.asked.slice(-2).toSorted()).toStrictEqual(['large: q', 'small: q']);
  });

  it('a file that is embedded by another model is found once', async () => {
    const tenantId = uuidv7();
    kiln.vectors.set('q', direction(1, 0));
    const fileId = uuidv7();
    await kiln.index({ tenantId, fileId, ...embedded('first', direction(1, 0)) });
    expect((await modeOf(tenantId, 'vector', 'q')).texts).toStrictEqual(['first']);
    await kiln.index({ tenantId, fileId, fence: 2, ...embedded('second', direction(1, 0), { model: 'large' }) });
    expect((await modeOf(tenantId, 'vector', 'q')).texts).toStrictEqual(['second']);
    expect(kiln.vectors.asked.at(-1)).toBe('large: q');
  });

  it('a tenant finds its own files only', async () => {
    const [tenantId, stranger] = [uuidv7(), uuidv7()];
    kiln.vectors.set('q', direction(1, 0));
    await kiln.index({ tenantId, ...embedded('mine', direction(1, 0)) });
    expect(await modeOf(stranger, 'vector', 'q')).toMatchObject({ texts: [], total: 0, mode: 'vector' });
  });

  it('a file whose chunks lack vectors, or have damaged ones, is refused', async () => {
    const tenantId = uuidv7();
    const [lacking] = await kiln.indexTogether(tenantId, [{ chunks: ['a', 'b'], vectors: [direction(1, 0)] }]);
    expect(lacking?.refusal).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/chunk 1 has 0 bytes/),
    });
    const [infinite] = await kiln.indexTogether(tenantId, [{ chunks: ['a'], vectors: [[Infinity, 0]] }]);
    expect(infinite?.refusal).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringMatching(/not finite/) });
  });
});
