// Real: Redis.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@kiln/platform';
import { eventually, testNamespace, testRedis } from '@kiln/testing';
import { connectRedis, type Redis } from '../redis/redis.adapter.js';
import { TokenBucket } from './token-bucket.adapter.js';

describe('an empty bucket', () => {
  const namespace = testNamespace();
  let redis: Redis;
  let bucket: TokenBucket;
  beforeAll(async () => {
    redis = connectRedis(await testRedis(), createLogger({ service: 'test', role: 'all', level: 'silent' }));
    await eventually(() => redis.isReady);
    bucket = new TokenBucket(redis, namespace, { add: () => undefined }, 60_000);
  });
  afterAll(() => redis.destroy());

  it('gains tokens at the rate of the new plan, also if it would have filled slowly under the former one', async () => {
    const slow = { perSecond: 0.001, burst: 1 };
    expect(await bucket.take('upgraded', slow)).toMatchObject({ allowed: true });
    expect(await bucket.take('upgraded', slow)).toMatchObject({ allowed: false });
    const fast = { perSecond: 10, burst: 20 };
    await eventually(async () => expect(await bucket.take('upgraded', fast)).toMatchObject({ allowed: true }));
  });

  it('fills in its time although the clock of Redis was set back', async () => {
    const anHourAhead = (Date.now() + 3_600_000) * 1_000;
    await redis.set(`${namespace}:{set-back}:rate`, String(anHourAhead));
    const rate = { perSecond: 10, burst: 20 };
    await eventually(async () => expect(await bucket.take('set-back', rate)).toMatchObject({ allowed: true }));
    const { remaining } = (await bucket.take('set-back', rate)) ?? {};
    expect(remaining).toBeLessThan(20);
  });
});
