// Waits for an end that the server reports, with requests that are answered at that end.
import { KilnTimeoutError } from './errors.js';
import type { RequestOptions } from './options.js';
import { sleep } from './time.js';

export interface WaitOptions extends Pick<RequestOptions, 'signal'> {
  /** The longest wait. Default 600,000. */
  deadlineMs?: number;
  /** How often a request is repeated. Default: until the deadline. */
  maxRetries?: number;
}

/** The longest time that the server holds a request. */
const WAIT_SECONDS_MAX = 60;
/** Beyond the time that the server holds a request. */
const RESPONSE_MS = 30_000;
/** A server that is stopping answers at once. */
const INTERVAL_MS_MIN = 250;
const DEADLINE_MS = 600_000;

/** Throws KilnTimeoutError with the code DEADLINE if `hasEnded` accepts no value in time. */
export async function waitUntil<Value>(
  read: (wait: number, options: RequestOptions) => Promise<Value>,
  hasEnded: (value: Value) => boolean,
  { deadlineMs = DEADLINE_MS, maxRetries = Infinity, ...options }: WaitOptions,
): Promise<Value> {
  const endsAt = performance.now() + deadlineMs;
  for (;;) {
    const startedAt = performance.now();
    const remainingMs = Math.max(1, endsAt - startedAt);
    const wait = Math.min(Math.floor(remainingMs / 1_000), WAIT_SECONDS_MAX);
    const timeoutMs = wait * 1_000 + RESPONSE_MS;
    const value = await read(wait, { ...options, maxRetries, timeoutMs, deadlineMs: remainingMs });
    if (hasEnded(value)) return value;
    const now = performance.now();
    if (now >= endsAt) throw new KilnTimeoutError('DEADLINE', `It has not ended within ${deadlineMs} ms.`);
    await sleep(Math.min(startedAt + INTERVAL_MS_MIN - now, endsAt - now), options.signal);
  }
}
