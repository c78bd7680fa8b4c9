// A fault of a connected bucket as the answer to a caller who waits. It is the caller's to mend, so it is never UNAVAILABLE.
import { CodedError, conflict } from '@kiln/contracts';
import type { BucketError } from '../domain/bucket-error.js';

const RETRY_AFTER_SECONDS = 5;

/** CONFLICT for what the owner of the bucket has to change first; BUCKET_UNAVAILABLE when the same request may work later. */
export function codedBucketFault(error: BucketError, bucket: string): CodedError {
  if (!error.retryable) return conflict(error.message);
  const message = `The bucket ${bucket} can not be used now. ${error.message} Check that it can be reached, then retry.`;
  return new CodedError('BUCKET_UNAVAILABLE', message, {
    retryAfterSeconds: error.retryAfterSeconds ?? RETRY_AFTER_SECONDS,
    cause: error,
  });
}
