import { expect, it } from '@jest/globals';
import { alignedData, type PlotSeries } from './plot-data.js';

const days = ['2026-11-26', '2026-11-27'];
const series = (kind: PlotSeries['kind'], values: (number | null)[]): PlotSeries => ({
  label: 'Files',
  color: '--text',
  kind,
  values,
});

it('bars stand on the bars before them, and the lowest is drawn last', () => {
  const [, above, below] = alignedData(days, [series('bars', [1, 2]), series('bars', [10, 20])]);
  expect([above, below]).toStrictEqual([
    [11, 22],
    [1, 2],
  ]);
});

it('a line keeps its values, and gaps where there is none', () => {
  const data = alignedData(days, [series('bars', [1, 2]), series('line', [null, 5])]);
  expect(data).toStrictEqual([
    [1795651200, 1795737600],
    [null, 5],
    [1, 2],
  ]);
});
