// Real: Postgres.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { startSearch, type SearchHarness } from '../test/search-harness.js';
import { VectorSampleStore } from './vector-sample.store.js';
import { readSets } from './vector-search.statements.js';
import type { VectorSet } from './vector-index.port.js';

describe('the scale of a set of vectors', () => {
  let kiln: SearchHarness;
  let samples: VectorSampleStore;
  beforeAll(async () => {
    kiln = await startSearch();
    samples = new VectorSampleStore(kiln.database);
  });
  afterAll(() => kiln.close());

  const setOf = async (tenantId: string) => {
    const [set] = await kiln.database.query<VectorSet>(readSets, [tenantId, 1]);
    if (!set) throw new Error('the tenant has no vectors');
    return set;
  };
  const query = Float32Array.from([1, 0]);
  /** A vector of length 1 with this cosine. */
  const vector = (cosine: number) => [cosine, Math.sqrt(1 - cosine ** 2)];

  it('has each vector of a small set once, and those that are added', async () => {
    const tenantId = uuidv7();
    await kiln.index({ tenantId, chunks: ['a', 'b', 'c'], vectors: [0.1, 0.2, 0.9].map(vector) });
    expect((await samples.scaleFor(await setOf(tenantId), query)).center).toBeCloseTo(0.2, 2);
    await kiln.index({ tenantId, chunks: ['d', 'e'], vectors: [0.8, 0.7].map(vector) });
    expect((await samples.scaleFor(await setOf(tenantId), query)).center).toBeCloseTo(0.7, 2);
  });

  it('is near that of all vectors of a large set, from files of all times', async () => {
    const tenantId = uuidv7();
    // The cosines of the first, second and last hundred files are around 0.1, 0.3 and 0.5.
    for (let at = 0; at < 300; at++) {
      const cosine = 0.1 + 0.2 * Math.floor(at / 100) + ((at * 37) % 50) / 1_000;
      await kiln.index({ tenantId, chunks: ['text'], vectors: [vector(cosine)] });
    }
    const { center, spread } = await samples.scaleFor(await setOf(tenantId), query);
    expect(center > 0.3 && center < 0.35).toBe(true);
    expect(spread > 0.2 && spread < 0.4).toBe(true);
  });

  it('of another tenant does not count', async () => {
    const [tenantId, stranger] = [uuidv7(), uuidv7()];
    await kiln.index({ tenantId, chunks: ['a'], vectors: [vector(0.3)] });
    await kiln.index({ tenantId: stranger, chunks: ['a', 'b', 'c'], vectors: [0.9, 0.9, 0.9].map(vector) });
    expect((await samples.scaleFor(await setOf(tenantId), query)).center).toBeCloseTo(0.3, 2);
  });
});
