// The progress of a sync, relative to the count of the last completed one: the size of a bucket is unknown until it is listed.
import type { syncStatuses } from '@kiln/contracts';

export interface SyncCounts {
  status: (typeof syncStatuses)[number];
  synced: number;
  /** The count of the last completed sync. Null before the first. */
  expected: number | null;
  elapsedSeconds: number;
}

export interface Progress {
  total: number | null;
  /** 0 to 100, in tenths. 100 only for a completed sync. */
  percent: number;
  etaSeconds: number | null;
}

const PERCENT_MAX_BEFORE_END = 99;

export function progressOf({ status, synced, expected, elapsedSeconds }: SyncCounts): Progress {
  if (status === 'completed') return { total: synced, percent: 100, etaSeconds: 0 };
  if (expected === null || expected === 0) return { total: null, percent: 0, etaSeconds: null };
  // A bucket that has grown contains at least what is listed so far.
  const total = Math.max(expected, synced);
  const percent = Math.min(PERCENT_MAX_BEFORE_END, Math.round((1_000 * synced) / total) / 10);
  const isMoving = status === 'syncing' && synced > 0 && elapsedSeconds > 0;
  const etaSeconds = isMoving ? Math.ceil(((total - synced) * elapsedSeconds) / synced) : null;
  return { total, percent, etaSeconds };
}
