// What a gateway does beside its requests, and a last time when it stops.
import type { Logger } from '@kiln/platform';
import type { KeyUsage } from './auth/key-usage.js';
import { PeriodicTask } from './periodic-task.js';
import type { PortalTokenStore } from './portal/portal-token.store.js';

const KEY_USAGE_INTERVAL_MS = 5_000;
const SWEEP_INTERVAL_MS = 600_000;

export interface HousekeepingParts {
  keyUsage: KeyUsage;
  portalTokens: PortalTokenStore;
  logger: Logger;
}

/** Answers how to stop it: once no request runs any more, and while the database is still there. */
export function startHousekeeping({ keyUsage, portalTokens, logger }: HousekeepingParts): () => Promise<void> {
  const usage = new PeriodicTask('save key usage', KEY_USAGE_INTERVAL_MS, () => keyUsage.flush(), logger);
  const sweep = new PeriodicTask('sweep portal tokens', SWEEP_INTERVAL_MS, () => portalTokens.deleteExpired(), logger);
  return async () => {
    await Promise.all([usage.stop(), sweep.stop()]);
    await usage.run();
  };
}
