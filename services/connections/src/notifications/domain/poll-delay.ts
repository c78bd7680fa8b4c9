// When a queue is read again.
import { backoff, fullJitter } from '@kiln/resilience';

/** A queue without messages is read less often, up to this time. */
const IDLE_SECONDS = { first: 1, max: 30 };
const FAILED_SECONDS = { first: 2, max: 300 };

/** `emptyPolls`: consecutive ones, without this one. */
export const idleSeconds = (emptyPolls: number): number => backoff(IDLE_SECONDS, emptyPolls);

/** `failures`: consecutive ones, without this one. `retryAfterSeconds` is that of the provider. */
export function failedSeconds(failures: number, retryAfterSeconds = 0, random?: () => number): number {
  const longest = backoff(FAILED_SECONDS, failures);
  return Math.max(retryAfterSeconds, longest / 2 + fullJitter(longest / 2, random));
}
