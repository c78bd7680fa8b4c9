import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BucketError } from './bucket-error.js';
import { syncFault } from './sync-fault.js';
import { progressOf } from './sync-progress.js';

describe('the progress of a sync', () => {
  const counts = { status: 'syncing' as const, synced: 250, expected: 1_000, elapsedSeconds: 10 };

  it('is told against the count of the last complete one', () => {
    assert.deepEqual(progressOf(counts), { total: 1_000, percent: 25, etaSeconds: 30 });
    assert.deepEqual(progressOf({ ...counts, expected: null }), { total: null, percent: 0, etaSeconds: null });
  });

  it('is never 100 before the end, however much the bucket has grown', () => {
    assert.deepEqual(progressOf({ ...counts, synced: 2_000 }), { total: 2_000, percent: 99, etaSeconds: 0 });
    assert.deepEqual(progressOf({ ...counts, status: 'completed' }), { total: 250, percent: 100, etaSeconds: 0 });
  });

  it('has no end in sight while nothing moves', () => {
    for (const still of [
      { synced: 0 },
      { status: 'failed' as const },
      { status: 'pending' as const },
      { elapsedSeconds: 0 },
    ]) {
      assert.equal(progressOf({ ...counts, ...still }).etaSeconds, null, JSON.stringify(still));
    }
  });
});

describe('a failure of the store', () => {
  it('is tried again while it may pass, up to eight times in a row, later each time', () => {
    const away = new BucketError('unreachable', 'away', { retryable: true });
    const waits = Array.from({ length: 8 }, (_, failures) => syncFault(away, failures).retryInSeconds);
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 30, 30, null]);
    assert.deepEqual(syncFault(new BucketError('access_denied', 'no'), 0), {
      error: { code: 'access_denied', message: 'no' },
      retryInSeconds: null,
    });
  });
});
