// A bucket that can't be used, told to somebody who waits for an answer.
import { conflict, unavailable } from '@kiln/contracts';
import { BucketError } from '../domain/bucket-error.js';

/** CONFLICT with the reason, for its owner to mend; UNAVAILABLE when the same may work in a moment. */
export async function tellBucketFault<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof BucketError)) throw error;
    throw error.retryable ? unavailable('The bucket', error) : conflict(error.message);
  }
}
