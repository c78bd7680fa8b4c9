import { expect, test } from '@jest/globals';
import { drawnBitmap } from './fixtures/ink-art.js';
import { inkOf } from './ink.js';
import { withWeights } from './stroke-weight.js';

test('the weight of a line grows with the thickness of its strokes, and not with their number', () => {
  const box = { left: 0, top: 0, right: 20, bottom: 14 };
  const weightOf = (row: string): number => {
    const rows = ['.'.repeat(20), ...Array.from({ length: 12 }, () => row), '.'.repeat(20)];
    const words = [{ ...box, text: 'illi', confidence: 90 }];
    return withWeights([{ words, baseline: 12, size: 10, weight: 0 }], inkOf(drawnBitmap(rows)))[0]?.weight ?? 0;
  };
  const thin = weightOf('..##...##...##......');
  expect(weightOf('..##...##...##..##..')).toBeCloseTo(thin);
  expect(weightOf('..####.####.####....')).toBeGreaterThan(thin * 1.5);
});
