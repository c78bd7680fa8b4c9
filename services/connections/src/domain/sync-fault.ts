// What a failure means for a sync: what may pass is tried again for some two minutes, everything else ends it.
import { BucketError, faultOf, type BucketFault } from './bucket-error.js';

export interface SyncFault {
  error: BucketFault;
  /** Null when the sync has failed. */
  retryInSeconds: number | null;
}

/** Claims in a row; those whose worker has died count as well. */
export const FAILURES_MAX = 8;
const RETRY_CAP_SECONDS = 30;

/** `failures`: those in a row before this one. What no bucket is to blame for may pass too. */
export function syncFault(error: unknown, failures: number): SyncFault {
  const isOfBucket = error instanceof BucketError;
  const again = (!isOfBucket || error.retryable) && failures + 1 < FAILURES_MAX;
  return {
    error: isOfBucket ? faultOf(error) : internalFault,
    retryInSeconds: again ? Math.min(RETRY_CAP_SECONDS, 2 ** failures) : null,
  };
}

const internalFault: BucketFault = {
  code: 'internal',
  message:
    'Kiln could not complete the sync, through a fault of its own. Nothing is wrong with the connection. Sync again.',
};
