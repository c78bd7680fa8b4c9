// What a failure of somebody else's store means for a sync: transient ones are tried again for some two minutes, others end it.
import { faultOf, type BucketError, type BucketFault } from './bucket-error.js';

export interface SyncFault {
  error: BucketFault;
  /** Null when the sync has failed. */
  retryInSeconds: number | null;
}

const FAILURES_MAX = 8;
const RETRY_CAP_SECONDS = 30;

/** `failures`: those in a row before this one. */
export function syncFault(error: BucketError, failures: number): SyncFault {
  const again = error.retryable && failures + 1 < FAILURES_MAX;
  return { error: faultOf(error), retryInSeconds: again ? Math.min(RETRY_CAP_SECONDS, 2 ** failures) : null };
}
