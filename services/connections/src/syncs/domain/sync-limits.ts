// The limits of a sync: for one claim, and in total.
import { BucketError } from '../../external-buckets/domain/bucket-error.js';

export interface SyncLimits {
  /** A claim ends after this many pages, or this time. The sync then returns to the queue. */
  pagesPerClaim: number;
  claimMs: number;
  /** The maximum number of files and folders of a connection. The same limit applies to skipped objects. */
  nodes: number;
  /** The maximum number of consecutive pages without objects. Stores that iterate over deleted objects return some. */
  emptyPages: number;
  /** The maximum time from the beginning of the first claim. */
  syncMs: number;
}

/** A sync may remove this many nodes, or half of all nodes, without force. */
const REMOVED_ANYWAY_MAX = 20;

export function assertMakesProgress(inARow: number, { emptyPages }: SyncLimits): void {
  if (inARow <= emptyPages) return;
  const message = `The store returned more than ${emptyPages} consecutive pages without an object, and no end of its listing.`;
  throw new BucketError('listing_incomplete', message);
}

export function assertInTime(startedAt: Date | null, { syncMs }: SyncLimits): void {
  if (startedAt === null || Date.now() - startedAt.getTime() <= syncMs) return;
  const message = `The bucket was not completely listed within ${Math.round(syncMs / 3_600_000)} hours. Narrow the prefix.`;
  throw new BucketError('timeout', message);
}

export const tooManyObjects = ({ nodes }: SyncLimits): BucketError =>
  new BucketError(
    'too_many_objects',
    `The bucket holds more than ${nodes} files and folders, which is the limit of a connection. Narrow the prefix.`,
  );

/** Whether a removal is large enough to be a mistake, and needs force. */
export const removesTooMany = (removed: number, before: number): boolean =>
  removed > REMOVED_ANYWAY_MAX && removed > before / 2;

export const tooManyDeletions = (removed: number, before: number): BucketError =>
  new BucketError(
    'too_many_deletions',
    `The bucket no longer lists ${removed} of ${before} nodes. Nothing was removed. If that is right, sync with {"force": true}.`,
  );
