import { beforeEach, describe, expect, it } from '@jest/globals';
import { clusteredVectors } from '../../test/clustered-vectors.js';
import { dotProduct, unitVector, vectorParts } from '../vector-codes.domain.js';
import { CodeSet, FILE_BYTES } from './code-set.domain.js';
import { DotProducts } from './dot-products.domain.js';

const DIMENSIONS = 20;
const VECTORS_PER_FILE = 3;

describe('a set of vectors in memory', () => {
  const { vectors, queries } = clusteredVectors({ vectors: 9_000, queries: 20, dimensions: DIMENSIONS, seed: 7 });
  const units = vectors.map((vector) => unitVector(Float32Array.from(vector)));
  const query = unitVector(Float32Array.from(queries[0] ?? []));
  let set: CodeSet;
  /** The vectors of each file, by their numbers. */
  let files: Map<string, number[]>;
  beforeEach(() => {
    set = new CodeSet(DIMENSIONS, new DotProducts());
    files = new Map();
    for (let file = 0; file * VECTORS_PER_FILE < vectors.length; file++) add(`${file}`, file * VECTORS_PER_FILE, file);
  });

  function add(fileId: string, from: number, number: number): void {
    const numbers = Array.from({ length: VECTORS_PER_FILE }, (_, at) => from + at);
    const chunks = numbers.map((at, index) => {
      const bytes = Buffer.from(Float32Array.from(vectors[at] ?? []).buffer);
      return { index, text: '', start: 0, end: 0, page: null, heading_path: [], vector: bytes.toString('base64') };
    });
    const codes = vectorParts(chunks, DIMENSIONS).map((part) => Uint8Array.from(part.codes));
    const facets = ['all', ...(number % 100 === 0 ? ['rare'] : []), ...(number % 2 === 0 ? ['even'] : [])];
    set.apply({ fileId, jobNumber: 1, fence: number, facets, codes });
    files.set(fileId, numbers);
  }

  function remove(fileId: string): void {
    set.apply({ fileId, jobNumber: 1, fence: 1, facets: [], codes: [] });
    files.delete(fileId);
  }

  /** Every hit has its exact cosine, up to the rounding of codes, and no better hit is missing. */
  function expectExact(facets: readonly string[], passes: (fileId: string) => boolean): void {
    const passing = [...files].filter(([fileId]) => passes(fileId));
    const cosines = new Map(
      passing.flatMap(([fileId, numbers]) =>
        numbers.map((at, index) => [`${fileId} ${index}`, dotProduct(query, units[at] ?? query)] as const),
      ),
    );
    const found = set.search({ vector: query, facets, limit: 50, of: 'chunk' });
    expect(found.files).toBe(passing.length);
    expect(found.hits).toHaveLength(Math.min(50, cosines.size));
    for (const { fileId, index, score } of found.hits) {
      expect(Math.abs(score - (cosines.get(`${fileId} ${index}`) ?? 9))).toBeLessThan(0.02);
    }
    const worst = found.hits.at(-1)?.score ?? 0;
    const better = [...cosines.values()].filter((cosine) => cosine > worst + 0.02).length;
    expect(better).toBeLessThanOrEqual(50);
    const ofFiles = set.search({ vector: query, facets, limit: 50, of: 'file' }).hits.map(({ fileId }) => fileId);
    expect(ofFiles).toStrictEqual([...new Set(ofFiles)]);
    expect(ofFiles[0]).toBe(found.hits[0]?.fileId);
  }

  it('finds the nearest of all, of those with a facet, and of those with several', () => {
    expectExact([], () => true);
    expectExact(['all', 'rare'], (fileId) => Number(fileId) % 100 === 0);
    expectExact(['rare', 'even'], (fileId) => Number(fileId) % 100 === 0);
    expectExact(['even'], (fileId) => Number(fileId) % 2 === 0);
    expectExact(['even', 'unknown'], () => false);
  });

  it('finds no file that was removed, and each replaced file once, also after most files have changed', () => {
    for (let file = 0; file < 3_000; file++) if (file % 3 > 0) remove(`${file}`);
    for (let file = 0; file < 3_000; file += 9) add(`${file}`, file * VECTORS_PER_FILE, 2);
    const isRare = (fileId: string) => Number(fileId) % 100 === 0 && Number(fileId) % 9 > 0;
    expectExact([], () => true);
    expectExact(['rare'], isRare);
    expectExact(['all'], () => true);
  });

  it('takes the memory of its vectors, and no more than twice as much', () => {
    const small = new CodeSet(DIMENSIONS, new DotProducts());
    expect(small.bytes).toBe(0);
    expect(set.bytes).toBeGreaterThanOrEqual(vectors.length * DIMENSIONS);
    expect(set.bytes).toBeLessThanOrEqual(2 * vectors.length * (32 + 4) + files.size * (FILE_BYTES + 3 * 16) + 1_000);
    const before = set.bytes;
    for (let file = 0; file < 2_990; file++) remove(`${file}`);
    expect(set.bytes).toBeLessThan(before / 10);
  });
});
