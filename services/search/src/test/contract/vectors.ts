// What every vector index must do.
import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { VectorIndex } from '../../vectors/vector-index.port.js';
import { clusteredVectors } from '../clustered-vectors.js';
import type { VectorHarness } from '../vector-harness.js';

const DIMENSIONS = 64;
/** In one database, beside each other. */
const VECTORS_OF_TENANTS = [100, 600, 2_500];

interface Opened {
  kiln: VectorHarness;
  index: VectorIndex;
  /** Ends when the index has everything. */
  update: (tenantId: string) => Promise<void>;
}

const unit = (place: number) => Array.from({ length: DIMENSIONS }, (_, at) => (at === place ? 1 : 0));

/** `opened` returns the index when the specs run. */
export const describeVectors = (opened: () => Opened) => {
  const found = async (tenantId: string, query = unit(0)) => {
    const { kiln, index } = opened();
    return (await kiln.nearest(index, tenantId, query)).hits.map((hit) => [hit.fileId, hit.index, hit.fence]);
  };

  it('finds the nearest of tenants of different sizes with a recall of at least .97, with and without filters', async () => {
    const { kiln, index, update } = opened();
    const tenants = [];
    for (const count of VECTORS_OF_TENANTS) {
      const options = { vectors: count, queries: 10, dimensions: DIMENSIONS, seed: count };
      const { vectors: all, queries } = clusteredVectors(options);
      const tenantId = randomUUID();
      const perFile = Math.min(50, count / 10);
      for (let from = 0; from < count; from += perFile) {
        const facets = [...(from < count / 2 ? ['half'] : []), ...(from < count / 10 ? ['tenth'] : [])];
        await kiln.write(tenantId, all.slice(from, from + perFile), { facets });
      }
      await update(tenantId);
      tenants.push({ tenantId, all, queries });
    }
    for (const { tenantId, all, queries } of tenants) {
      expect(await kiln.recall(index, tenantId, { all, queries })).toBeGreaterThanOrEqual(0.97);
      const half = { all: all.slice(0, all.length / 2), queries, facets: ['half'] };
      expect(await kiln.recall(index, tenantId, half)).toBeGreaterThanOrEqual(0.97);
      const tenth = { all: all.slice(0, all.length / 10), queries, facets: ['half', 'tenth'] };
      expect(await kiln.recall(index, tenantId, tenth)).toBeGreaterThanOrEqual(0.97);
    }
  });

  it('counts the files that pass a filter, and finds no others', async () => {
    const { kiln, index } = opened();
    const tenantId = randomUUID();
    await kiln.write(tenantId, [unit(0), unit(1)]);
    const rare = await kiln.write(tenantId, [unit(2), unit(3)], { facets: ['rare'] });
    const { hits, files } = await kiln.nearest(index, tenantId, unit(0), { facets: ['rare'] });
    expect([files, new Set(hits.map(({ fileId }) => fileId))]).toStrictEqual([1, new Set([rare])]);
    expect(await kiln.nearest(index, tenantId, unit(0), { facets: ['none'] })).toMatchObject({ hits: [], files: 0 });
  });

  it('finds the best chunk of each file, also when one file has the nearest chunks', async () => {
    const { kiln, index } = opened();
    const tenantId = randomUUID();
    const near = Array.from({ length: 200 }, (_, at) =>
      unit(0).map((value, place) => (place === 1 ? at / 1e4 : value)),
    );
    const nearest = await kiln.write(tenantId, near);
    const others = [await kiln.write(tenantId, [unit(2)]), await kiln.write(tenantId, [unit(3)])];
    const { hits } = await kiln.nearest(index, tenantId, unit(0), { of: 'file', limit: 3 });
    expect(hits.map(({ fileId }) => fileId).slice(0, 1)).toStrictEqual([nearest]);
    expect(new Set(hits.map(({ fileId }) => fileId))).toStrictEqual(new Set([nearest, ...others]));
  });

  it('returns cosines that differ by less than .02 from the exact ones, in small and large sets', async () => {
    const { kiln, index, update } = opened();
    for (const others of [0, 1_200]) {
      const tenantId = randomUUID();
      const mixed = unit(0).map((value, place) => (place === 1 ? 0.8 : value * 0.6));
      await kiln.write(tenantId, [unit(0), mixed]);
      if (others > 0)
        await kiln.write(
          tenantId,
          Array.from({ length: others }, (_, at) => unit(2 + (at % 60))),
        );
      await update(tenantId);
      const { hits } = await kiln.nearest(index, tenantId, unit(0), { scores: 'approximate', limit: 2 });
      expect(hits.map((hit) => hit.index)).toStrictEqual([0, 1]);
      expect(hits[0]?.score).toBeCloseTo(1, 1.5);
      expect(hits[1]?.score).toBeCloseTo(0.6, 1.5);
    }
  });

  it('follows replaced and removed files', async () => {
    const { kiln, update } = opened();
    const tenantId = randomUUID();
    const fileId = await kiln.write(tenantId, [unit(0), unit(1), unit(2)]);
    const other = await kiln.write(tenantId, [unit(1)]);
    expect(await found(tenantId)).toHaveLength(4);
    const replaced = [
      [fileId, 0, 2],
      [other, 0, 1],
    ];
    await kiln.write(tenantId, [unit(0)], { fence: 2, fileId });
    expect(await found(tenantId)).toStrictEqual(replaced);
    await update(tenantId);
    expect(await found(tenantId)).toStrictEqual(replaced);
    await kiln.write(tenantId, [], { fence: 3, fileId });
    expect(await found(tenantId)).toStrictEqual([[other, 0, 1]]);
    await update(tenantId);
    expect(await found(tenantId)).toStrictEqual([[other, 0, 1]]);
  });

  it('finds others beside a vector of zeros, and fails for no query of zeros', async () => {
    const { kiln, index } = opened();
    const tenantId = randomUUID();
    const zeros = unit(-1);
    const fileId = await kiln.write(tenantId, [zeros, unit(0)]);
    expect((await found(tenantId))[0]).toStrictEqual([fileId, 1, 1]);
    expect((await kiln.nearest(index, tenantId, zeros)).files).toBe(1);
  });
};
