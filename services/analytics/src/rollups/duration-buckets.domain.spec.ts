import { expect, it } from '@jest/globals';
import { durationOf } from './duration-buckets.domain.js';

it('the value of a bucket differs by less than 2 % from its ends, from a millisecond to ten days', () => {
  const growth = durationOf(2) / durationOf(1);
  let upper = 1;
  let bucket = 0;
  for (; upper < 864_000_000; bucket++, upper *= growth) {
    const lower = upper / growth;
    expect(durationOf(bucket) / upper).toBeGreaterThan(0.98);
    expect(durationOf(bucket) / lower).toBeLessThan(1.02);
  }
  expect(bucket).toBeLessThan(1_000);
});
