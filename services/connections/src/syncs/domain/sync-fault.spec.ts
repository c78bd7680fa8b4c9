import { describe, expect, it } from '@jest/globals';
import { BucketError } from '../../external-buckets/domain/bucket-error.js';
import { syncFault } from './sync-fault.js';

describe('a failure of the store', () => {
  it('is retried while it may be temporary, up to eight times in a row, with increasing delays', () => {
    const away = new BucketError('unreachable', 'away', { retryable: true });
    const waits = Array.from({ length: 8 }, (_, failures) => syncFault(away, failures).retryInSeconds);
    expect(waits).toStrictEqual([1, 2, 4, 8, 16, 30, 30, null]);
    expect(syncFault(new BucketError('access_denied', 'no'), 0)).toStrictEqual({
      error: { code: 'access_denied', message: 'no' },
      retryInSeconds: null,
    });
  });
});

it('an internal error is retried like a temporary error of the bucket, and its message shows nothing internal', () => {
  const faults = Array.from({ length: 8 }, (_, failures) => syncFault(new Error('secret detail'), failures));
  expect(faults.map(({ retryInSeconds }) => retryInSeconds)).toStrictEqual([1, 2, 4, 8, 16, 30, 30, null]);
  for (const { error } of faults) {
    expect(error.code).toBe('internal');
    expect(error.message).not.toMatch(/secret/);
  }
});
