import { expect, it } from '@jest/globals';
import { csvOf, hasVolume, timesSeries, volumeSeries } from './series.js';

it('a day on which nothing completed has no percentiles', () => {
  const data = [
    { date: '2026-11-26', p50_ms: 0, p95_ms: 0, p99_ms: 0, runs: 0 },
    { date: '2026-11-27', p50_ms: 10, p95_ms: 20, p99_ms: 30, runs: 2 },
  ];
  expect(timesSeries(data).map(({ values }) => values)).toStrictEqual([
    [null, 10],
    [null, 20],
    [null, 30],
  ]);
});

it('a volume is there when files were added, or jobs completed or failed', () => {
  const idle = { date: '2026-11-26', uploads: 0, uploaded_bytes: 0, processed: 0, failed: 0 };
  expect([hasVolume([]), hasVolume([idle]), hasVolume([idle, { ...idle, failed: 1 }])]).toStrictEqual([
    false,
    false,
    true,
  ]);
  expect(volumeSeries([{ ...idle, uploads: 3, processed: 2, failed: 1 }]).map(({ values }) => values)).toStrictEqual([
    [3],
    [2],
    [1],
  ]);
});

it('a table has the names of its fields in the first row', () => {
  const rows = [{ space: 'a', file_count: 2, failed: 0 }];
  expect(csvOf(['space', 'failed'], rows)).toStrictEqual([
    ['space', 'failed'],
    ['a', 0],
  ]);
});
