// Sets the RateLimit headers, and throws RATE_LIMITED when the caller's bucket is empty.
import { CodedError } from '@kiln/contracts';
import type { ServerResponse } from 'node:http';
import type { Rate } from './plan-rates.config.js';
import type { BucketState } from './token-bucket.adapter.js';

/** `state` is null when Redis did not respond; the bucket then counts as full. */
export function limitRate(state: BucketState | null, { burst }: Rate, response: ServerResponse): void {
  response.setHeader('RateLimit-Limit', burst);
  response.setHeader('RateLimit-Remaining', state?.remaining ?? burst);
  response.setHeader('RateLimit-Reset', state?.resetSeconds ?? 0);
  if (!state || state.allowed) return;
  const { retryAfterSeconds } = state;
  throw new CodedError('RATE_LIMITED', `Too many requests. Retry after ${retryAfterSeconds} s.`, { retryAfterSeconds });
}
