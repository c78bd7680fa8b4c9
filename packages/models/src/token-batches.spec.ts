import { expect, it } from '@jest/globals';
import { batchByLength } from './token-batches.js';

it('batches have each text once, and no more tokens than allowed with their padding, unless one text alone has more', () => {
  const texts = Array.from({ length: 200 }, (_, at) => ({
    ids: Array.from<number>({ length: 1 + ((at * 37) % 97) }).fill(1),
  }));
  const batches = batchByLength([...texts, { ids: Array.from<number>({ length: 300 }).fill(1) }], 256);
  expect(batches.flat().toSorted((one, other) => one - other)).toStrictEqual(
    Array.from({ length: 201 }, (_, at) => at),
  );
  const tokensOf = (batch: number[]) => batch.length * Math.max(...batch.map((at) => texts[at]?.ids.length ?? 300));
  expect(batches.filter((batch) => tokensOf(batch) > 256)).toStrictEqual([[200]]);
  expect(batchByLength([], 256)).toStrictEqual([]);
});
