import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;

/** Returns when `check` no longer throws. After `timeoutMs` (default 120,000), throws its last error. */
export async function eventually(check: () => Promise<void>, { timeoutMs = 120_000 } = {}): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await delay(POLL_MS);
  }
}
