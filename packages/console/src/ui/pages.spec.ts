import { expect, it } from '@jest/globals';
import { pageCountOf } from './pages.js';

it('a number of pages counts if it is whole, and not more than a document can have', () => {
  expect([1, 10_000].map((count) => pageCountOf({ page_count: count }))).toStrictEqual([1, 10_000]);
  for (const count of [0, 1.5, '3', null, 10_001, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
    expect(pageCountOf({ page_count: count })).toBeNull();
  }
});
