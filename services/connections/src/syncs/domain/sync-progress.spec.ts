import { describe, expect, it } from '@jest/globals';
import { progressOf } from './sync-progress.js';

describe('the progress of a sync', () => {
  const counts = { status: 'syncing' as const, synced: 250, expected: 1_000, elapsedSeconds: 10 };

  it('is relative to the count of the last completed sync', () => {
    expect(progressOf(counts)).toStrictEqual({ total: 1_000, percent: 25, etaSeconds: 30 });
    expect(progressOf({ ...counts, expected: null })).toStrictEqual({ total: null, percent: 0, etaSeconds: null });
  });

  it('is below 100 until the end, even when the bucket has grown', () => {
    expect(progressOf({ ...counts, synced: 2_000 })).toStrictEqual({ total: 2_000, percent: 99, etaSeconds: 0 });
    expect(progressOf({ ...counts, status: 'completed' })).toStrictEqual({ total: 250, percent: 100, etaSeconds: 0 });
  });

  it.each([{ synced: 0 }, { status: 'failed' as const }, { status: 'pending' as const }, { elapsedSeconds: 0 }])(
    'has no estimated end while no object is being listed: %j',
    (change) => {
      expect(progressOf({ ...counts, ...change }).etaSeconds).toBeNull();
    },
  );
});
