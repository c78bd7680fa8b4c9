// Decides what follows from a failure: a temporary error is retried for about two minutes, any other ends the sync.
import { backoff } from '@kiln/resilience';
import { BucketError, faultOf, type BucketFault } from '../../external-buckets/domain/bucket-error.js';

export interface SyncFault {
  error: BucketFault;
  /** Null when the sync ends as failed. */
  retryInSeconds: number | null;
}

/** Consecutive failed claims; claims whose worker died count too. */
export const FAILURES_MAX = 8;
const RETRY_SECONDS = { first: 1, max: 30 };

/** `failures` is the number of consecutive failures before this one. Internal errors are retried too. */
export function syncFault(error: unknown, failures: number): SyncFault {
  const isOfBucket = error instanceof BucketError;
  const again = (!isOfBucket || error.retryable) && failures + 1 < FAILURES_MAX;
  return {
    error: isOfBucket ? faultOf(error) : internalFault,
    retryInSeconds: again ? backoff(RETRY_SECONDS, failures) : null,
  };
}

const internalFault: BucketFault = {
  code: 'internal',
  message:
    'Kiln could not complete the sync because of an internal error. The connection is not the cause. Sync again.',
};
