import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MAX_MS = 250;

export interface EventuallyOptions {
  /** Default 120,000: long enough for a busy machine. A condition that is met costs nothing. */
  readonly timeoutMs?: number;
  /** Between the first calls. Default 25. Later, a tenth of the time that has passed, and at most 250. */
  readonly intervalMs?: number;
}

/**
 * Waits for a condition instead of a fixed time: calls `attempt` until it neither throws nor returns false, and returns its value.
 * After the timeout it fails with the last error.
 */
export async function eventually<T>(attempt: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<T> {
  const { timeoutMs = 120_000, intervalMs = 25 } = options;
  const startedAt = performance.now();
  const deadline = startedAt + timeoutMs;
  for (;;) {
    let reason: unknown;
    try {
      const value = await attempt();
      if (value !== false) return value;
      reason = 'the condition stayed false';
    } catch (thrown) {
      reason = thrown;
    }
    if (performance.now() >= deadline) {
      const detail = reason instanceof Error ? reason.message : String(reason);
      throw new Error(`Condition not met within ${timeoutMs} ms: ${detail}`, { cause: reason });
    }
    const tenth = (performance.now() - startedAt) / 10;
    await delay(Math.max(intervalMs, Math.min(tenth, INTERVAL_MAX_MS)));
  }
}
