// Decides what follows from a failure: temporary errors of the bucket are retried for up to an hour, internal errors for about two minutes, and
// any other error ends the sync.
import { backoff, fullJitter } from '@kiln/resilience';
import { BucketError, faultOf, type BucketFault } from '../../external-buckets/domain/bucket-error.js';

export interface SyncFault {
  error: BucketFault;
  /** Null when the sync ends as failed. */
  retryInSeconds: number | null;
  /** False for internal errors of Kiln. */
  isOfBucket: boolean;
  /** Whether the next sync may continue after the committed pages. */
  isResumable: boolean;
}

/** Consecutive claims that failed, before the current one. */
export interface FailedClaims {
  failures: number;
  bucket_failures: number;
}

/** Consecutive claims that failed inside Kiln; claims whose worker died count too. */
export const FAILURES_MAX = 8;
const RETRY_SECONDS = { first: 1, max: 30 };
/** A store that throttles its clients may do so for long. */
const BUCKET_FAILURES_MAX = 20;
const BUCKET_RETRY_SECONDS = { first: 1, max: 300 };

/** Internal errors are retried too. */
export function syncFault(error: unknown, failed: FailedClaims, random?: () => number): SyncFault {
  if (!(error instanceof BucketError)) {
    const longest = failed.failures + 1 < FAILURES_MAX ? backoff(RETRY_SECONDS, failed.failures) : null;
    const retryInSeconds = longest && withJitter(longest, longest / 2, random);
    return { error: internalFault, retryInSeconds, isOfBucket: false, isResumable: false };
  }
  const again = error.retryable && failed.bucket_failures + 1 < BUCKET_FAILURES_MAX;
  const longest = again ? backoff(BUCKET_RETRY_SECONDS, failed.bucket_failures) : null;
  const retryInSeconds = longest && withJitter(longest, error.retryAfterSeconds ?? longest / 2, random);
  return { error: faultOf(error), retryInSeconds, isOfBucket: true, isResumable: error.retryable };
}

/** The syncs of one store that failed together do not return together. */
const withJitter = (longest: number, least: number, random?: () => number): number =>
  least + fullJitter(longest / 2, random);

const internalFault: BucketFault = {
  code: 'internal',
  message:
    'Kiln could not complete the sync because of an internal error. The connection is not the cause. Sync again.',
};
