import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { TokenBucket } from './token-bucket.adapter.js';

const rate = { perSecond: 1, burst: 5 };
type RedisPart = ConstructorParameters<typeof TokenBucket>[0];

function bucketOn(redis: { isReady: boolean; evalSha: () => Promise<unknown> }) {
  let skipped = 0;
  const part = { ...redis, eval: redis.evalSha } as unknown as RedisPart;
  const bucket = new TokenBucket(part, 'test', { add: () => skipped++ }, 10);
  return { bucket, skipped: () => skipped };
}

describe('without Redis', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('no request waits, and each is counted', async () => {
    const { bucket, skipped } = bucketOn({
      isReady: false,
      evalSha: () => Promise.reject(new Error('not to be asked')),
    });
    expect(await bucket.take('a', rate)).toBeNull();
    expect(skipped()).toBe(1);
  });

  it('one request waits briefly for a Redis that does not respond, and the next ones do not wait', async () => {
    const now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    let asked = 0;
    const silent = () => {
      asked++;
      return new Promise<never>(() => undefined);
    };
    const { bucket, skipped } = bucketOn({ isReady: true, evalSha: silent });
    for (let request = 0; request < 5; request++) expect(await bucket.take('a', rate)).toBeNull();
    expect(asked).toBe(1);
    expect(skipped()).toBe(5);
  });
});
