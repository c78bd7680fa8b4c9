import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from './token-bucket.js';

const rate = { perSecond: 1, burst: 5 };
type RedisPart = ConstructorParameters<typeof TokenBucket>[0];

function bucketOn(redis: { isReady: boolean; evalSha: () => Promise<unknown> }) {
  let skipped = 0;
  const bucket = new TokenBucket({ ...redis, eval: redis.evalSha } as unknown as RedisPart, 'test', () => skipped++);
  return { bucket, skipped: () => skipped };
}

describe('without Redis', () => {
  it('nobody waits while it is away, and each request is counted', async () => {
    const { bucket, skipped } = bucketOn({
      isReady: false,
      evalSha: () => Promise.reject(new Error('not to be asked')),
    });
    assert.equal(await bucket.take('a', rate), null);
    assert.equal(skipped(), 1);
  });

  it('a request waits briefly for a silent one, and those after it not at all', async () => {
    let asked = 0;
    const silent = () => {
      asked++;
      return new Promise<never>(() => undefined);
    };
    const { bucket, skipped } = bucketOn({ isReady: true, evalSha: silent });
    for (let request = 0; request < 5; request++) assert.equal(await bucket.take('a', rate), null);
    assert.equal(asked, 1);
    assert.equal(skipped(), 5);
  });
});
