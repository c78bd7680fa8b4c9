// What a sync may take: of a worker at a time, and altogether.
import { BucketError } from './bucket-error.js';

export interface SyncLimits {
  /** A claim ends after so many pages, or so long; the sync then waits for its next turn. */
  pagesPerClaim: number;
  claimMs: number;
  /** Files and folders of a connection; as many objects may be skipped. */
  nodes: number;
  /** Pages without an object, in a row. Stores that walk over what was deleted answer with some of them. */
  emptyPages: number;
  /** From the first claim to the last. */
  syncMs: number;
}

/** A complete listing may remove so many nodes, or up to half of them. */
const REMOVED_ANYWAY_MAX = 20;

export function assertMakesProgress(inARow: number, { emptyPages }: SyncLimits): void {
  if (inARow <= emptyPages) return;
  const message = `The store answered more than ${emptyPages} pages in a row without an object, and no end of its listing.`;
  throw new BucketError('listing_incomplete', message);
}

export function assertInTime(startedAt: Date | null, { syncMs }: SyncLimits): void {
  if (startedAt === null || Date.now() - startedAt.getTime() <= syncMs) return;
  const message = `The bucket was not listed to its end within ${Math.round(syncMs / 3_600_000)} hours. Narrow the prefix.`;
  throw new BucketError('timeout', message);
}

export const tooManyObjects = ({ nodes }: SyncLimits): BucketError =>
  new BucketError(
    'too_many_objects',
    `The bucket holds more than ${nodes} files and folders, which is the limit of a connection. Narrow the prefix.`,
  );

/** Whether a removal is large enough to be a mistake: it is done only when somebody asks for it. */
export const removesTooMany = (removed: number, before: number): boolean =>
  removed > REMOVED_ANYWAY_MAX && removed > before / 2;

export const tooManyDeletions = (removed: number, before: number): BucketError =>
  new BucketError(
    'too_many_deletions',
    `The bucket no longer lists ${removed} of ${before} nodes. Nothing was removed. If that is right, sync with {"force": true}.`,
  );
