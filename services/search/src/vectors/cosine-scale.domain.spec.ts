import { describe, expect, it } from '@jest/globals';
import { deviationOf, scaleOf } from './cosine-scale.domain.js';

const spreadOut = (count: number, center: number, spread: number) =>
  Array.from({ length: count }, (_, at) => center + spread * (at / (count - 1) - 0.5));

describe('the scale of cosines', () => {
  it('gives models with low and with high cosines the same deviations', () => {
    const low = scaleOf(spreadOut(101, 0.1, 0.3));
    const high = scaleOf(spreadOut(101, 0.75, 0.3 / 4));
    expect(deviationOf(low, 0.6)).toBeCloseTo(deviationOf(high, 0.875), 1);
    expect(deviationOf(low, low.center)).toBe(0);
  });

  it('hardly moves when a tenth of the sample is related to the query', () => {
    const unrelated = spreadOut(90, 0.1, 0.3);
    const plain = scaleOf(unrelated);
    const mixed = scaleOf([...unrelated, ...spreadOut(10, 0.8, 0.1)]);
    expect(Math.abs(mixed.center - plain.center)).toBeLessThan(0.03);
    expect(mixed.spread / plain.spread).toBeLessThan(1.3);
  });

  it('finds the related one of five chunks surprising', () => {
    expect(deviationOf(scaleOf([0.1, 0.6, 0.12, 0.08, 0.1]), 0.6)).toBeGreaterThan(4);
  });

  it('is finite for an empty sample and for equal cosines', () => {
    for (const cosines of [[], [0.4], [1, 1, 1]]) {
      const scale = scaleOf(cosines);
      expect(scale.spread).toBeGreaterThan(0);
      expect(Number.isFinite(deviationOf(scale, 0.9))).toBe(true);
    }
  });
});
