import { describe, expect, it } from '@jest/globals';
import { randomNumbers } from '@kiln/testing/seed';
import { unitVector } from '../vector-codes.domain.js';
import { DotProducts, rowBytes } from './dot-products.domain.js';

const CODE_MAX = 127;
const RESOLUTION = 2 ** 31;

describe('dot products', () => {
  const products = new DotProducts();

  /** Rows of codes with zeros at their ends, and the cosine of each with the query, computed without rounding the query. */
  function casesOf(query: Float32Array, rows: readonly (readonly number[])[]) {
    const stride = rowBytes(query.length);
    const codes = new Int8Array(rows.length * stride);
    for (const [at, row] of rows.entries()) codes.set(row, at * stride);
    const expected = rows.map((row) => row.reduce((sum, code, place) => sum + code * (query[place] ?? 0), 0));
    return { codes, expected };
  }

  function productsOf(query: Float32Array, codes: Int8Array, count: number): number[] {
    const scales = new Float32Array(count).fill(1);
    const stride = rowBytes(query.length);
    let read = 0;
    products.begin(query);
    for (let at = 0; at < count;) {
      if (products.room === 0) read = products.multiply(scales, read);
      const rows = Math.min(count - at, products.room, 100);
      products.add(codes.subarray(at * stride, (at + rows) * stride));
      at += rows;
    }
    expect(products.multiply(scales, read)).toBe(count);
    return [...scales];
  }

  it('are those of plain arithmetic, for any length of vectors and any number of rows', () => {
    const below = randomNumbers(1);
    const random = () => below(RESOLUTION) / RESOLUTION;
    for (const [dimensions, count] of [
      [1, 40_000],
      [15, 1_000],
      [16, 0],
      [17, 1],
      [384, 1_500],
      [1_536, 500],
      [8_192, 70],
    ] as const) {
      const query = unitVector(Float32Array.from({ length: dimensions }, () => random() - 0.5));
      const row = () => Array.from({ length: dimensions }, () => Math.round((2 * random() - 1) * CODE_MAX));
      const { codes, expected } = casesOf(query, Array.from({ length: count }, row));
      const found = productsOf(query, codes, count);
      // Rounding the query adds at most half a unit for each number, and far less on average.
      const tolerance = 0.002 * CODE_MAX;
      const isFar = (product: number, at: number) => !(Math.abs(product - (expected[at] ?? 0)) < tolerance);
      expect(found.filter(isFar)).toStrictEqual([]);
    }
  });

  it('do not overflow where all numbers are the largest, and are 0 for a query of zeros', () => {
    for (const dimensions of [1, 16, 384, 8_192]) {
      const query = unitVector(new Float32Array(dimensions).fill(-1));
      const row = Array.from({ length: dimensions }, () => CODE_MAX);
      const { codes, expected } = casesOf(query, [row]);
      const [found = 0] = productsOf(query, codes, 1);
      expect(found / (expected[0] ?? 1)).toBeCloseTo(1, 3);
      expect(productsOf(new Float32Array(dimensions), codes, 1)).toStrictEqual([0]);
    }
  });
});
