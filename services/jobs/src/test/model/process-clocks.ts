import { mock } from 'node:test';

const HOUR_MS = 3_600_000;

/** The clocks of all processes are wrong by these hours from now on; the database's is not. */
export function setProcessClocks(hours: number): void {
  mock.timers.reset();
  if (hours !== 0) mock.timers.enable({ apis: ['Date'], now: Date.now() + hours * HOUR_MS });
}
