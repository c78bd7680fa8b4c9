// When a failed attempt is repeated, and after how long. `retry-vectors.json` has the same table and its cases, for all SDKs.

export const retryTable = {
  /** A connection that fails or breaks off, and an attempt that takes too long, are repeated like these statuses. */
  statuses: [408, 429],
  /** Every status from here on as well. */
  statusMin: 500,
  /** The request had no effect, so that it may be repeated without an Idempotency-Key. */
  refusedStatuses: [429],
  maxRetries: 3,
  delayMs: 500,
  delayFactor: 2,
  delayMsMax: 8_000,
  /** The delay is multiplied by a random number from here to 1. */
  jitterMin: 0.5,
  /** A server that asks for a longer pause gets no retry. */
  retryAfterSecondsMax: 60,
} as const;

export type Outcome =
  | { kind: 'connection' | 'timeout' }
  | { kind: 'response'; status: number; retryAfterSeconds: number | null };

export interface Attempted {
  /** 0 after the first attempt. */
  retriesDone: number;
  maxRetries: number;
  /** Whether a repeat has no second effect: any method but POST, or an Idempotency-Key. */
  isRepeatable: boolean;
  /** The time that is left before the deadline. */
  remainingMs: number;
  /** From 0 to 1. */
  random: number;
}

export const isRetryableStatus = (status: number): boolean =>
  status >= retryTable.statusMin || (retryTable.statuses as readonly number[]).includes(status);

/** Returns the pause before the next attempt, or null if there is no other attempt. */
export function retryDelayMs(outcome: Outcome, attempted: Attempted): number | null {
  const { retriesDone, maxRetries, isRepeatable, remainingMs } = attempted;
  if (retriesDone >= maxRetries || !isWorthRetrying(outcome)) return null;
  if (!isRepeatable && !wasRefused(outcome)) return null;
  const askedSeconds = outcome.kind === 'response' ? outcome.retryAfterSeconds : null;
  if (askedSeconds !== null && askedSeconds > retryTable.retryAfterSecondsMax) return null;
  // A wait for a job has no last attempt. It pauses even if the server asks for no pause.
  const leastMs = retriesDone < retryTable.maxRetries ? 0 : retryTable.delayMs;
  const delayMs = askedSeconds === null ? backOffMs(attempted) : Math.max(askedSeconds * 1_000, leastMs);
  return delayMs < remainingMs ? delayMs : null;
}

/** The server knows best: `Retry-After` makes any status worth it. */
const isWorthRetrying = (outcome: Outcome): boolean =>
  outcome.kind !== 'response' || outcome.retryAfterSeconds !== null || isRetryableStatus(outcome.status);

const wasRefused = (outcome: Outcome): boolean =>
  outcome.kind === 'response' &&
  (outcome.retryAfterSeconds !== null || (retryTable.refusedStatuses as readonly number[]).includes(outcome.status));

function backOffMs({ retriesDone, random }: Attempted): number {
  const { delayMs, delayFactor, delayMsMax, jitterMin } = retryTable;
  const longest = Math.min(delayMs * delayFactor ** retriesDone, delayMsMax);
  return Math.round(longest * (jitterMin + (1 - jitterMin) * random));
}

/** Reads seconds or an HTTP date (RFC 9110, 10.2.3). Returns null for anything else. */
export function retryAfterSecondsOf(header: string | null, now = Date.now()): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const at = /[a-z]/i.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000));
}
