// The limits of a sync: for one claim, and in total.
import { BucketError } from '../../external-buckets/domain/bucket-error.js';

export interface SyncLimits {
  /** A claim ends after this many pages, or this time. The sync then returns to the queue. */
  pagesPerClaim: number;
  claimMs: number;
  /** The list requests that a sync may send at a time. */
  requests: number;
  /** The first claim of a listing ends after this many pages. If the bucket has more, the listing is split. */
  pagesBeforeSplit: number;
  /** The maximum number of files and folders of a connection in any plan. The same limit applies to skipped objects. */
  nodes: number;
  /** The maximum number of consecutive pages without objects. Stores that iterate over deleted objects return some. */
  emptyPages: number;
  /** The maximum time from the first claim; of a sync that continues a failed one, from its start. */
  syncMs: number;
}

/** The limits that no setting changes. */
export const FIXED_LIMITS = {
  /** Then other syncs are claimed first. */
  pagesPerClaim: 50,
  claimMs: 10_000,
  /** More gain nothing: the pages of a sync are stored one after another, each in about a tenth of the time that a remote store takes for it. */
  requests: 8,
  pagesBeforeSplit: 5,
  emptyPages: 1_000,
} as const satisfies Partial<SyncLimits>;

/** The limits of a connection, whose plan may allow fewer nodes. */
export const limitsOf = ({ nodes_limit: allowed }: { nodes_limit: number | null }, limits: SyncLimits): SyncLimits => ({
  ...limits,
  nodes: Math.min(limits.nodes, allowed ?? limits.nodes),
});

/** A sync may remove this many nodes, or half of all nodes, without force. */
const REMOVED_ANYWAY_MAX = 20;

export function assertMakesProgress(inARow: number, { emptyPages }: SyncLimits): void {
  if (inARow <= emptyPages) return;
  const message = `The store returned more than ${emptyPages} consecutive pages without an object, and no end of its listing.`;
  throw new BucketError('listing_incomplete', message);
}

export function assertInTime(
  { started_at: startedAt, created_at: createdAt }: { started_at: Date | null; created_at: Date },
  { syncMs }: SyncLimits,
): void {
  const since = Math.max(startedAt?.getTime() ?? 0, createdAt.getTime());
  if (Date.now() - since <= syncMs) return;
  const message = `The bucket was not completely listed within ${Math.round(syncMs / 3_600_000)} hours. Narrow the prefix.`;
  throw new BucketError('timeout', message);
}

export const tooManyObjects = ({ nodes }: SyncLimits): BucketError =>
  new BucketError(
    'too_many_objects',
    `The bucket holds more than ${nodes} files and folders, which is the limit of a connection. Narrow the prefix.`,
  );

/** The number of nodes that may be removed without force, of those before. */
export const removalsMax = (before: number): number => Math.max(REMOVED_ANYWAY_MAX, Math.floor(before / 2));

/** Whether a removal is large enough to be a mistake, and needs force. */
export const removesTooMany = (removed: number, before: number): boolean => removed > removalsMax(before);

export const tooManyDeletions = (removed: number, before: number): BucketError =>
  new BucketError(
    'too_many_deletions',
    `The bucket no longer lists ${removed} of ${before} nodes. Nothing was removed. If that is right, sync with {"force": true}.`,
  );
