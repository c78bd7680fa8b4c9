import { expect, it } from '@jest/globals';
import { FairPool } from './fair-pool.js';

it('a pool that gives no connection says why, and frees the place', async () => {
  const pool = new FairPool({ max: 1 });
  await pool.end();
  // Without the place of the first, the second would wait.
  for (let request = 0; request < 2; request++)
    await expect(pool.connect()).rejects.toThrow('Cannot use a pool after calling end on the pool');
  expect(pool.queuedCount).toBe(0);
});
