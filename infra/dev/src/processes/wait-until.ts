import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until `probe` returns a value other than undefined and false, and returns it. Undefined if the deadline passes first.
 * Errors of the probe are thrown.
 */
export async function waitUntil<T>(
  probe: () => T | Promise<T>,
  options: { deadlineMilliseconds: number; intervalMilliseconds?: number },
): Promise<Exclude<T, undefined | false> | undefined> {
  const deadline = performance.now() + options.deadlineMilliseconds;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
    if (performance.now() >= deadline) return undefined;
    await delay(options.intervalMilliseconds ?? 25);
  }
}
