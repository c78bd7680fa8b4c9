// Real: Postgres, the object store, the thread that holds vectors. Faked: the models, the files service.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, formatTimestamp, type ChunkLine } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { startSearch, type SearchHarness } from '../test/search-harness.js';

describe('the results of a search', () => {
  let kiln: SearchHarness;
  beforeAll(async () => {
    kiln = await startSearch();
  });
  afterEach(() => void Object.assign(kiln.reranker, { isThere: false, isDown: false }));
  afterAll(() => kiln.close());

  const daysAgo = (days: number) => formatTimestamp(new Date(Date.now() - days * 86_400_000));
  const describeFile = (fileId: string, more: object = {}) =>
    kiln.fileDetails.set(fileId, {
      file_id: encodeId('file', fileId),
      filename: 'kiln.pdf',
      space: 'attic',
      content_type: 'application/pdf',
      external_id: 'glaze-7',
      metadata: { year: '1999' },
      created_at: daysAgo(0),
      ...more,
    });
  const textsOf = async (tenantId: string, query: string, more: Parameters<SearchHarness['search']>[2]) =>
    (await kiln.search(tenantId, query, more)).results.map(({ chunk_text: text }) => text);

  it('show the place of the chunk, its file, its scores and the words of the query', async () => {
    const [tenantId, fileId] = [uuidv7(), uuidv7()];
    const line: ChunkLine = {
      index: 0,
      text: 'Glaze melts at 1,200 degrees.',
      start: 40,
      end: 69,
      page: 3,
      heading_path: ['Firing', 'Glaze'],
    };
    await kiln.indexTogether(tenantId, [{ fileId, chunks: [], lines: [line] }]);
    describeFile(fileId);
    const { results, ...rest } = await kiln.search(tenantId, 'glaze');
    expect(rest).toStrictEqual({ total: 1, query: 'glaze', mode: 'text', served: ['text'], not_served: [] });
    expect(results).toMatchObject([
      {
        chunk_index: 0,
        start: 40,
        end: 69,
        page: 3,
        headings: ['Firing', 'Glaze'],
        highlights: [{ start: 0, end: 5 }],
        filename: 'kiln.pdf',
        space: 'attic',
        content_type: 'application/pdf',
        external_id: 'glaze-7',
        metadata: { year: '1999' },
        scores: { text: results[0]?.score, vector: null, rerank: null },
      },
    ]);
  });

  it('are the best chunks with the group chunk, and at most max_per_file of one file, in every mode', async () => {
    const tenantId = uuidv7();
    const vectors = [
      [1, 0.1],
      [1, 0.2],
      [1, 0.3],
    ];
    const chunks = ['glaze glaze glaze', 'glaze glaze and clay', 'glaze and much more clay'];
    await kiln.index({ tenantId, chunks, vectors });
    await kiln.index({ tenantId, chunks: ['glaze in a text on many other things of a kiln'], vectors: [[1, 0.4]] });
    kiln.vectors.set('glaze', [1, 0]);
    for (const mode of ['text', 'vector', 'hybrid'] as const) {
      const all = await textsOf(tenantId, 'glaze', { mode, group: 'chunk' });
      expect([mode, all]).toStrictEqual([mode, [...chunks, 'glaze in a text on many other things of a kiln']]);
      const two = await textsOf(tenantId, 'glaze', { mode, group: 'chunk', max_per_file: 1 });
      expect([mode, two]).toStrictEqual([mode, [chunks[0], 'glaze in a text on many other things of a kiln']]);
      expect(await textsOf(tenantId, 'glaze', { mode, group: 'chunk', limit: 2 })).toStrictEqual(chunks.slice(0, 2));
    }
    expect(await textsOf(tenantId, '"glaze and"', { mode: 'text', group: 'chunk' })).toHaveLength(3);
  });

  it('have at most max_per_file chunks of a file, also if words and vectors find others of it, or it has all of the nearest', async () => {
    const tenantId = uuidv7();
    const long = Array.from({ length: 100 }, (_, at) => (at === 0 ? 'glaze' : `enamel ${at}`));
    const vectors = long.map((_, at) => (at === 0 ? [0.1, 1] : [1, at / 1_000]));
    await kiln.index({ tenantId, chunks: long, vectors });
    for (const text of ['slip', 'clay', 'ash']) await kiln.index({ tenantId, chunks: [text], vectors: [[0.9, 1]] });
    kiln.vectors.set('glaze', [1, 0]);
    const limited = (mode: 'vector' | 'hybrid', max_per_file: number) =>
      textsOf(tenantId, 'glaze', { mode, group: 'chunk', max_per_file, limit: 4 });
    expect(await limited('vector', 1)).toStrictEqual(['enamel 1', 'slip', 'clay', 'ash']);
    expect(await limited('vector', 2)).toStrictEqual(['enamel 1', 'enamel 2', 'slip', 'clay']);
    expect((await limited('hybrid', 1)).toSorted()).toStrictEqual(['ash', 'clay', 'glaze', 'slip']);
    expect(await limited('hybrid', 2)).toHaveLength(4);
  });

  it('have a total of files with the group chunk, in every mode, without those that were deleted or do not pass the filter', async () => {
    const tenantId = uuidv7();
    const [kept, failing] = [uuidv7(), uuidv7()];
    const near = [1, 0.1];
    const long = { chunks: ['glaze one', 'glaze two', 'enamel'], vectors: [near, near, near] };
    await kiln.index({ tenantId, fileId: kept, ...long });
    describeFile(kept);
    const totalOf = async (query: string, more: object) =>
      (await kiln.search(tenantId, query, { group: 'chunk', ...more })).total;
    for (const query of ['glaze', 'glaze one']) kiln.vectors.set(query, [1, 0]);
    const totals = async () => [
      await totalOf('glaze', { mode: 'text' }),
      await totalOf('glaze', { mode: 'vector' }),
      await totalOf('"glaze one"', { mode: 'vector' }),
      await totalOf('glaze', { mode: 'hybrid' }),
      await totalOf('"glaze one"', { mode: 'hybrid' }),
    ];
    expect(await totals()).toStrictEqual([1, 1, 1, 1, 1]);
    await kiln.index({ tenantId, fileId: failing, ...long });
    describeFile(failing, { metadata: { year: '2020' } });
    const filter = { 'metadata.year': { lt: 2000 } };
    for (const mode of ['text', 'vector', 'hybrid'] as const)
      expect([mode, await totalOf('glaze', { mode, filter })]).toStrictEqual([mode, 1]);
    kiln.deletedFiles.add(failing);
    expect(await totals()).toStrictEqual([1, 1, 1, 1, 1]);
    kiln.deletedFiles.clear();
  });

  it('of a file found by its title alone are shown once with the group chunk', async () => {
    const tenantId = uuidv7();
    await kiln.index({ tenantId, title: 'Raku', chunks: ['first part', 'second part'] });
    expect(await textsOf(tenantId, 'raku', { group: 'chunk' })).toStrictEqual(['first part']);
  });

  it('prefer newer files with recency, by the share that fades', async () => {
    const tenantId = uuidv7();
    const [old, recent] = [uuidv7(), uuidv7()];
    await kiln.index({ tenantId, fileId: old, chunks: ['glaze glaze'] });
    await kiln.index({ tenantId, fileId: recent, chunks: ['glaze and clay'] });
    describeFile(old, { created_at: daysAgo(1_000) });
    describeFile(recent);
    expect(await textsOf(tenantId, 'glaze', {})).toStrictEqual(['glaze glaze', 'glaze and clay']);
    const recency = { half_life_days: 30, weight: 0.9 };
    expect(await textsOf(tenantId, 'glaze', { recency, limit: 1 })).toStrictEqual(['glaze and clay']);
    expect(await textsOf(tenantId, 'glaze', { recency: { ...recency, weight: 0 } })).toHaveLength(2);
  });

  it('are ordered by a reranking model on request, and say when there is none or it fails', async () => {
    const tenantId = uuidv7();
    await kiln.index({ tenantId, chunks: ['glaze glaze'] });
    await kiln.index({ tenantId, chunks: ['glaze, the answer'] });
    kiln.reranker.relevances.set('glaze, the answer', 0.9);
    const rerank = { rerank: true };
    const unranked = await kiln.search(tenantId, 'glaze', rerank);
    expect(unranked).toMatchObject({ served: ['text'], not_served: [{ part: 'rerank', reason: 'not_configured' }] });
    kiln.reranker.isThere = true;
    const reranked = await kiln.search(tenantId, 'glaze', rerank);
    expect(reranked).toMatchObject({ served: ['text', 'rerank'], not_served: [] });
    expect(reranked.results[0]).toMatchObject({ chunk_text: 'glaze, the answer', score: 0.9, scores: { rerank: 0.9 } });
    expect((await kiln.search(tenantId, 'glaze')).results[0]?.chunk_text).toBe('glaze glaze');
    kiln.reranker.isDown = true;
    const failed = await kiln.search(tenantId, 'glaze', rerank);
    expect(failed.not_served).toMatchObject([{ part: 'rerank', reason: 'failed' }]);
    expect(failed.results[0]?.chunk_text).toBe('glaze glaze');
  });

  it('say why a hybrid search was by words only', async () => {
    const tenantId = uuidv7();
    await kiln.index({ tenantId, chunks: ['glaze'] });
    const reasonOf = async () => (await kiln.search(tenantId, 'glaze', { mode: 'hybrid' })).not_served?.[0]?.reason;
    expect(await reasonOf()).toBe('no_vectors');
    Object.assign(kiln.vectors, { isThere: false });
    expect(await reasonOf()).toBe('not_configured');
    Object.assign(kiln.vectors, { isThere: true });
    await kiln.index({ tenantId, chunks: ['clay'], vectors: [[1, 0]] });
    expect(await reasonOf()).toBeUndefined();
    Object.assign(kiln.vectors, { isDown: true });
    expect(await reasonOf()).toBe('failed');
    Object.assign(kiln.vectors, { isDown: false });
  });

  it('say which models were not searched, in both modes that use vectors', async () => {
    const tenantId = uuidv7();
    const models = Array.from({ length: 9 }, (_, at) => `model-${at}`);
    for (const model of models) await kiln.index({ tenantId, chunks: [`glaze ${model}`], vectors: [[1, 0]], model });
    await kiln.index({ tenantId, chunks: ['more glaze'], vectors: [[1, 0]], model: 'model-1' });
    kiln.vectors.set('glaze', [1, 0]);
    kiln.vectors.downModels.add('model-1');
    for (const mode of ['vector', 'hybrid'] as const) {
      const { results, served, not_served: missing } = await kiln.search(tenantId, 'glaze', { mode });
      expect(results.length).toBeGreaterThanOrEqual(7);
      expect(served).toContain('vector');
      expect(missing).toMatchObject([
        { part: 'vector', reason: 'failed', message: expect.stringContaining('"model-1"') },
        { part: 'vector', reason: 'too_many_models', message: expect.stringContaining('"model-8"') },
      ]);
    }
    kiln.vectors.downModels.clear();
  });

  it('of a search by words need one call of the files service, unless they are many', async () => {
    const tenantId = uuidv7();
    const fileId = uuidv7();
    await kiln.index({ tenantId, fileId, chunks: ['glaze'] });
    describeFile(fileId);
    const calls = async (more: object) => {
      const before = kiln.files.calls;
      const { results } = await kiln.search(tenantId, 'glaze', more);
      expect(results[0]?.filename).toBe('kiln.pdf');
      return kiln.files.calls - before;
    };
    expect(await calls({ mode: 'text' })).toBe(1);
    expect(await calls({ mode: 'text', recency: { half_life_days: 1, weight: 1 } })).toBe(3);
  });

  it('fit into a message with long headings and metadata, and say what is left out', async () => {
    const tenantId = uuidv7();
    const heading_path = Array.from({ length: 6 }, () => 'h'.repeat(2_000));
    for (let at = 0; at < 40; at++) {
      const fileId = uuidv7();
      const line = { index: 0, text: 'glaze', start: 0, end: 5, page: null, heading_path };
      await kiln.indexTogether(tenantId, [{ fileId, chunks: [], lines: [line] }]);
      describeFile(fileId, { metadata: null });
    }
    const few = await kiln.search(tenantId, 'glaze', { limit: 1 });
    expect(few.results[0]).toMatchObject({ omitted: ['metadata'], headings: heading_path });
    const many = await kiln.search(tenantId, 'glaze', { limit: 40 });
    expect(many.results).toHaveLength(40);
    expect(many.results[0]?.omitted).toStrictEqual(['headings', 'highlights', 'metadata', 'regions']);
  });

  it('are refused for options that exclude each other', async () => {
    const refusal = { code: 'BAD_REQUEST' };
    await expect(kiln.search(uuidv7(), 'q', { mode: 'text', hybrid: { weight: 1 } })).rejects.toMatchObject(refusal);
    await expect(kiln.search(uuidv7(), 'q', { max_per_file: 2 })).rejects.toMatchObject(refusal);
  });
});
