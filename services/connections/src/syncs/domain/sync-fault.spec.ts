import { describe, expect, it } from '@jest/globals';
import { BucketError } from '../../external-buckets/domain/bucket-error.js';
import { syncFault } from './sync-fault.js';

const last = () => 1;
const first = () => 0;
const waitsOf = (error: unknown, count: number, random: () => number) =>
  Array.from(
    { length: count },
    (_, failed) => syncFault(error, { failures: failed, bucket_failures: failed }, random).retryInSeconds,
  );

describe('a failure of the store', () => {
  const away = new BucketError('unreachable', 'away', { retryable: true });

  it('is retried while it may be temporary, up to 20 times in a row, for up to an hour, with increasing random delays', () => {
    const longest = waitsOf(away, 20, last);
    expect(longest.slice(0, 11)).toStrictEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    expect(longest.at(-1)).toBeNull();
    const sum = longest.reduce<number>((seconds, wait) => seconds + (wait ?? 0), 0);
    expect(sum).toBeGreaterThan(3_000);
    expect(sum).toBeLessThan(3_600);
    expect(waitsOf(away, 3, first)).toStrictEqual([0.5, 1, 2]);
  });

  it('is not retried before the Retry-After of the store, and not all at once after it', () => {
    const busy = new BucketError('unreachable', 'busy', { retryable: true, retryAfterSeconds: 120 });
    expect(waitsOf(busy, 3, first)).toStrictEqual([120, 120, 120]);
    expect(waitsOf(busy, 3, last)).toStrictEqual([120.5, 121, 122]);
  });

  it('that lasts is continued by the next sync; one that needs a change ends at once, and the next sync begins again', () => {
    expect(syncFault(away, { failures: 0, bucket_failures: 19 })).toMatchObject({
      retryInSeconds: null,
      isResumable: true,
    });
    expect(syncFault(new BucketError('access_denied', 'no'), { failures: 0, bucket_failures: 0 })).toStrictEqual({
      error: { code: 'access_denied', message: 'no' },
      retryInSeconds: null,
      isOfBucket: true,
      isResumable: false,
    });
  });
});

it('an internal error is retried for about two minutes, and its message shows nothing internal', () => {
  expect(waitsOf(new Error('secret detail'), 8, last)).toStrictEqual([1, 2, 4, 8, 16, 30, 30, null]);
  const { error, isResumable } = syncFault(new Error('secret detail'), { failures: 7, bucket_failures: 0 });
  expect([error.code, isResumable]).toStrictEqual(['internal', false]);
  expect(error.message).not.toMatch(/secret/);
});
