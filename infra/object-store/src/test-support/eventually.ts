import { setTimeout as delay } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;

/** Waits until the condition is true. */
export async function eventually(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (performance.now() >= deadline) throw new Error(`The condition stayed false for ${TIMEOUT_MS} ms.`);
    await delay(5);
  }
}
