// Repeats an attempt as the retry table says, within the limits of the request.
import { KilnApiError, KilnError, KilnTimeoutError } from './errors.js';
import type { RequestLimits } from './options.js';
import { retryDelayMs, type Outcome } from './retry.js';
import { sleep, withTimeout } from './time.js';

export interface Repeated {
  /** For messages: `GET /v1/files`. */
  what: string;
  limits: RequestLimits;
  isRepeatable: boolean;
}

/** Throws the error of the last attempt, or the reason of the caller's signal. */
export async function runAttempts<Value>(
  { what, limits, isRepeatable }: Repeated,
  attempt: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const { signal, maxRetries, timeoutMs, deadlineMs } = limits;
  const endsAt = performance.now() + deadlineMs;
  for (let retriesDone = 0; ; retriesDone += 1) {
    try {
      const remainingMs = endsAt - performance.now();
      const isLast = remainingMs <= timeoutMs;
      const late = () =>
        isLast
          ? new KilnTimeoutError('DEADLINE', `${what} was not answered within ${deadlineMs} ms, retries included.`)
          : new KilnTimeoutError('TIMEOUT', `${what} was not answered within ${timeoutMs} ms.`);
      return await withTimeout(attempt, { timeoutMs: isLast ? remainingMs : timeoutMs, late, signal });
    } catch (error) {
      signal?.throwIfAborted();
      const outcome = outcomeOf(error);
      if (!outcome) throw error;
      const remainingMs = endsAt - performance.now();
      const attempted = { retriesDone, maxRetries, isRepeatable, remainingMs, random: Math.random() };
      const delayMs = retryDelayMs(outcome, attempted);
      if (delayMs === null) throw error;
      await sleep(delayMs, signal);
    }
  }
}

/** Null for an error that no retry changes. */
export function outcomeOf(error: unknown): Outcome | null {
  if (error instanceof KilnApiError) {
    return { kind: 'response', status: error.status, retryAfterSeconds: error.retryAfterSeconds };
  }
  if (!(error instanceof KilnError) || !error.retryable || error.code === 'DEADLINE') return null;
  return { kind: error instanceof KilnTimeoutError ? 'timeout' : 'connection' };
}
