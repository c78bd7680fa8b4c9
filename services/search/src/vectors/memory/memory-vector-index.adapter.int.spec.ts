// Real: Postgres, the object store, the threads that hold vectors. Faked: the provider of embeddings, whose vectors are known; the files service.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidOf } from '@kiln/contracts';
import { inCall, RunningCall } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { clusteredVectors } from '../../test/clustered-vectors.js';
import { describeVectors } from '../../test/contract/vectors.js';
import { VectorHarness } from '../../test/vector-harness.js';
import { contextOf, startSearch, toNdjson, type SearchHarness } from '../../test/search-harness.js';
import { VectorSearch } from '../vector-search.service.js';
import { VectorFeed } from '../vector-feed.store.js';
import { MemoryVectorIndex } from './memory-vector-index.adapter.js';

const DIMENSIONS = 384;
const scores = 'exact' as const;
const NEIGHBOURS = 10;

describe('an index in memory, as every index', () => {
  let search: SearchHarness;
  let kiln: VectorHarness;
  let index: MemoryVectorIndex;
  beforeAll(async () => {
    search = await startSearch();
    kiln = new VectorHarness(search.database);
    index = new MemoryVectorIndex({
      feed: new VectorFeed(kiln.database),
      bytesMax: 10_000_000,
      logger: { warn: () => {} },
    });
  });
  afterAll(async () => {
    await index.close();
    await search.close();
  });

  describeVectors(() => ({ kiln, index, update: () => Promise.resolve() }));
});

describe('vectors in memory', () => {
  let kiln: SearchHarness;
  const opened: MemoryVectorIndex[] = [];
  beforeAll(async () => {
    kiln = await startSearch();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((index) => index.close()));
  });
  afterAll(() => kiln.close());

  function openOther(bytesMax?: number): MemoryVectorIndex {
    const index = kiln.openVectors(bytesMax);
    opened.push(index);
    return index;
  }
  const searchOf = (index: MemoryVectorIndex) =>
    new VectorSearch(kiln.database, index, kiln.vectors, { warn: () => {} });
  const nearest = async (index: MemoryVectorIndex, tenantId: string, text: string, limit = NEIGHBOURS) =>
    (await searchOf(index).nearest({ text, facets: [], limit, of: 'chunk', scores }, contextOf(tenantId))).hits;

  /** Indexes vectors as chunks of one file each 500. Returns the ids of the files. */
  async function fill(tenantId: string, vectors: readonly number[][]): Promise<string[]> {
    const ids: string[] = [];
    for (let from = 0; from < vectors.length; from += 500) {
      const some = vectors.slice(from, from + 500);
      const texts = some.map((_, at) => `${from + at}`);
      const { fileId } = await kiln.indexObject({ tenantId, vectors: some }, toNdjson(texts, some));
      ids.push(fileId);
    }
    return ids;
  }

  /** The share of the exact nearest neighbours that the index finds. */
  async function recall(tenantId: string, vectors: readonly number[][], queries: readonly number[][]) {
    const index = openOther();
    let found = 0;
    for (const [position, query] of queries.entries()) {
      const text = `query ${position}`;
      kiln.vectors.set(text, query);
      const cosine = (vector: readonly number[]) =>
        vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0);
      const exact = vectors.map(cosine).sort((left, right) => right - left);
      const worst = exact[NEIGHBOURS - 1] ?? 0;
      const hits = await nearest(index, tenantId, text);
      // Rounding to Float32 must not count.
      found += hits.filter(({ score }) => score >= worst - 1e-6).length;
    }
    return found / (queries.length * NEIGHBOURS);
  }

  it('are found with a recall@10 of 0.99 at least', async () => {
    const tenantId = uuidv7();
    const { vectors, queries } = clusteredVectors({ vectors: 5_000, queries: 50, dimensions: DIMENSIONS, seed: 1 });
    await fill(tenantId, vectors);
    expect(await recall(tenantId, vectors, queries)).toBeGreaterThanOrEqual(0.99);
  });

  it('follow what other processes write and remove, file by file', async () => {
    const tenantId = uuidv7();
    const { vectors } = clusteredVectors({ vectors: 1_500, queries: 0, dimensions: 32, seed: 3 });
    const [here, there] = [openOther(), openOther()];
    const [first = '', second = ''] = await fill(tenantId, vectors);
    kiln.vectors.set('all', vectors[0] ?? []);
    const filesIn = async (index: MemoryVectorIndex) =>
      new Set((await nearest(index, tenantId, 'all', 2_000)).map(({ fileId }) => fileId));
    expect((await filesIn(here)).size).toBe(3);
    await kiln.remove(tenantId, uuidOf('file', first));
    await kiln.index({
      tenantId,
      fileId: uuidOf('file', second),
      fence: 2,
      chunks: ['now'],
      vectors: [vectors[1] ?? []],
    });
    const [third = ''] = await fill(tenantId, vectors.slice(0, 10));
    for (const index of [here, there]) {
      const files = await filesIn(index);
      expect([files.size, files.has(uuidOf('file', first)), files.has(uuidOf('file', third))]).toStrictEqual([
        3,
        false,
        true,
      ]);
      const ofSecond = (await nearest(index, tenantId, 'all', 2_000)).filter(
        ({ fileId }) => fileId === uuidOf('file', second),
      );
      expect(ofSecond.map(({ index: chunk, fence }) => [chunk, fence])).toStrictEqual([[0, 2]]);
    }
  });

  it('are read to the end, and once, when the call that began it ends at its deadline', async () => {
    const tenantId = uuidv7();
    const { vectors } = clusteredVectors({ vectors: 20, queries: 0, dimensions: 32, seed: 6 });
    await fill(tenantId, vectors);
    kiln.vectors.set('all', vectors[0] ?? []);
    const feed = new VectorFeed(kiln.database);
    const call = new RunningCall(tenantId);
    let reads = 0;
    const changes: VectorFeed['changes'] = (...since) => {
      reads++;
      call.end();
      return feed.changes(...since);
    };
    const logger = { warn: () => undefined };
    const index = new MemoryVectorIndex({ feed: { changes }, bytesMax: 1_000_000, logger });
    opened.push(index);
    await expect(inCall(call, () => nearest(index, tenantId, 'all', 100))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    expect(await nearest(index, tenantId, 'all', 100)).toHaveLength(20);
    expect(reads).toBe(1);
  });

  it('are read again when the records of removals are no longer there', async () => {
    const tenantId = uuidv7();
    const { vectors } = clusteredVectors({ vectors: 20, queries: 0, dimensions: 32, seed: 4 });
    const index = openOther();
    const [removed = ''] = await fill(tenantId, vectors);
    await kiln.index({ tenantId, chunks: ['stays'], vectors: [vectors[1] ?? []] });
    kiln.vectors.set('all', vectors[0] ?? []);
    expect(await nearest(index, tenantId, 'all', 100)).toHaveLength(21);
    await kiln.remove(tenantId, uuidOf('file', removed));
    const age = {
      name: '',
      text: `update vector_files set removed_at = removed_at - interval '2 hours' where tenant_id = $1`,
    };
    await kiln.database.query(age, [tenantId]);
    await kiln.removals.forgetRemovedVectors(100);
    const left = { name: '', text: 'select file_id from vector_files where tenant_id = $1' };
    expect(await kiln.database.query(left, [tenantId])).toHaveLength(1);
    expect(await nearest(index, tenantId, 'all', 100)).toHaveLength(1);
  });

  it('of many tenants stay within the memory limit, and are read again when they are searched', async () => {
    const { vectors } = clusteredVectors({ vectors: 10, queries: 0, dimensions: 32, seed: 5 });
    const tenants = [uuidv7(), uuidv7(), uuidv7()];
    for (const tenantId of tenants) await fill(tenantId, vectors);
    kiln.vectors.set('all', vectors[0] ?? []);
    const bytesOfOne = async () => {
      const index = openOther();
      await nearest(index, tenants[0] ?? '', 'all');
      return index.bytes;
    };
    const bytesMax = (await bytesOfOne()) * 2;
    const index = openOther(bytesMax);
    const answers = await Promise.all([...tenants, ...tenants].map((tenantId) => nearest(index, tenantId, 'all')));
    for (const hits of answers) expect(hits).toHaveLength(10);
    for (const tenantId of tenants) expect(await nearest(index, tenantId, 'all')).toHaveLength(10);
    expect(index.bytes).toBeLessThanOrEqual(bytesMax);
    await expect(nearest(openOther(100), tenants[0] ?? '', 'all')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('are consistent under concurrent writes and searches', async () => {
    const tenantId = uuidv7();
    const { vectors } = clusteredVectors({ vectors: 80, queries: 0, dimensions: 32, seed: 6 });
    kiln.vectors.set('all', vectors[0] ?? []);
    const index = openOther();
    const write = async (from: number) => {
      for (let at = from; at < vectors.length; at += 4) {
        await kiln.index({ tenantId, chunks: [`${at}`], vectors: [vectors[at] ?? []] });
        const hits = await nearest(index, tenantId, 'all', 300);
        expect(new Set(hits.map(({ fileId }) => fileId)).size).toBe(hits.length);
      }
    };
    await Promise.all([0, 1, 2, 3].map(write));
    expect(await nearest(index, tenantId, 'all', 300)).toHaveLength(vectors.length);
  });
});
