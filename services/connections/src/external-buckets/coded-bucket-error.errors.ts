// The error of a connected bucket as an API error. Never UNAVAILABLE: that would mean that Kiln is down.
import { CodedError } from '@kiln/contracts';
import type { BucketError } from './domain/bucket-error.js';

const RETRY_AFTER_SECONDS = 5;

/** CONFLICT when the owner of the bucket has to change something first; BUCKET_UNAVAILABLE when the same request may succeed later. */
export function codedBucketError(error: BucketError, bucket: string): CodedError {
  if (!error.retryable) return new CodedError('CONFLICT', error.message, { cause: error });
  const message = `The bucket ${bucket} cannot be used now. ${error.message} Check that it can be reached, then retry.`;
  return new CodedError('BUCKET_UNAVAILABLE', message, {
    retryAfterSeconds: error.retryAfterSeconds ?? RETRY_AFTER_SECONDS,
    cause: error,
  });
}
