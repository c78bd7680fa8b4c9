import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from './token-bucket.js';

const options = { refillPerSecond: 1, burst: 5, namespace: 'test' };
type RedisPart = ConstructorParameters<typeof TokenBucket>[0];

function bucketOn(redis: { isReady: boolean; evalSha: () => Promise<unknown> }) {
  let skipped = 0;
  const bucket = new TokenBucket({ ...redis, eval: redis.evalSha } as unknown as RedisPart, options, () => skipped++);
  return { bucket, skipped: () => skipped };
}

describe('without Redis', () => {
  it('requests pass at once while it is away, and are counted', async () => {
    const { bucket, skipped } = bucketOn({
      isReady: false,
      evalSha: () => Promise.reject(new Error('not to be asked')),
    });
    const state = await bucket.take('a');
    assert.deepEqual([state.allowed, state.limit, state.remaining], [true, 5, 5]);
    assert.equal(skipped(), 1);
  });

  it('a request waits briefly for a silent one, and those after it not at all', async () => {
    let asked = 0;
    const silent = () => {
      asked++;
      return new Promise<never>(() => undefined);
    };
    const { bucket, skipped } = bucketOn({ isReady: true, evalSha: silent });
    for (let request = 0; request < 5; request++) assert.ok((await bucket.take('a')).allowed);
    assert.equal(asked, 1);
    assert.equal(skipped(), 5);
  });
});
