// The retry schedule of a delivery: after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, each ±10 %. Then the delivery has failed.
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
];

const JITTER = 0.1;
/** An endpoint may delay a retry by this much, because its events are not kept for ever. */
export const RETRY_AFTER_MAX_SECONDS = 24 * 3_600;

export interface FailedAttempt {
  /** Failed attempts of this delivery, including the current one. */
  failures: number;
  /** The endpoint's Retry-After, in milliseconds from now. Null without the header. */
  retryAfterMs: number | null;
}

/** Milliseconds until the next attempt. Null after the last one. `random` returns a number from 0 to 1. */
export function retryDelayMs(
  { failures, retryAfterMs }: FailedAttempt,
  random: () => number = Math.random,
): number | null {
  const planned = RETRY_DELAYS_MS[failures - 1];
  if (planned === undefined) return null;
  const jittered = Math.round(planned * (1 - JITTER + 2 * JITTER * random()));
  if (retryAfterMs === null || retryAfterMs <= jittered) return jittered;
  // Never before the requested time. The jitter spreads retries that got the same response.
  return Math.round(Math.min(retryAfterMs, RETRY_AFTER_MAX_SECONDS * SECOND_MS) * (1 + JITTER * random()));
}
