import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;

/** Returns once `check` no longer throws; after `timeoutMs` throws what it threw last. */
export async function eventually(check: () => Promise<void>, { timeoutMs }: { timeoutMs: number }): Promise<void> {
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
