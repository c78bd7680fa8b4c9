import { setTimeout as delay } from 'node:timers/promises';

export interface EventuallyOptions {
  /** Default 120,000: long enough for a busy machine. A condition that is met costs nothing. */
  readonly timeoutMs?: number;
  /** Default 25. */
  readonly intervalMs?: number;
}

/**
 * Waits for a condition instead of a fixed time: calls `attempt` until it neither throws nor returns false, and returns its value.
 * After the timeout it fails with the last error.
 */
export async function eventually<T>(attempt: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<T> {
  const { timeoutMs = 120_000, intervalMs = 25 } = options;
  const deadline = performance.now() + timeoutMs;
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
    await delay(intervalMs);
  }
}
