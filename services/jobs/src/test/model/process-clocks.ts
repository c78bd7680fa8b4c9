import { jest } from '@jest/globals';

const HOUR_MS = 3_600_000;

/** Only the date is changed. */
const doNotFake = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

/** The clocks of all processes are wrong by these hours from now on; the database's is not. */
export function setProcessClocks(hours: number): void {
  jest.useRealTimers();
  if (hours !== 0) jest.useFakeTimers({ doNotFake: [...doNotFake], now: Date.now() + hours * HOUR_MS });
}
