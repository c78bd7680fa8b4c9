// Takes the caller's token, tells the state of the bucket in the headers, and refuses with RATE_LIMITED when it is empty.
import { CodedError } from '@kiln/contracts';
import type { Response } from 'express';
import type { TokenBucket } from './token-bucket.js';

export async function limitRate(bucket: TokenBucket, name: string, response: Response): Promise<void> {
  const state = await bucket.take(name);
  response.set({
    'RateLimit-Limit': String(state.limit),
    'RateLimit-Remaining': String(state.remaining),
    'RateLimit-Reset': String(state.resetSeconds),
  });
  if (state.allowed) return;
  const { retryAfterSeconds } = state;
  throw new CodedError('RATE_LIMITED', `Too many requests. Retry after ${retryAfterSeconds} s.`, { retryAfterSeconds });
}
