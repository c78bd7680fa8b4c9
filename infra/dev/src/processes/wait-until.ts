import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until `probe` answers something other than undefined and false, and returns that; undefined when the deadline
 * passed first. Never throws on its own; what the probe throws, passes.
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
