// Runs the background work of a gateway: it saves key usage, deletes expired portal tokens and sign-in codes, ended keys and old
// answers, and reseals answers with the newest key.
import { DayPartitions, ResealWorker, type Database, type Logger, type Sealer } from '@kiln/platform';
import { ApiKeyStore } from '../keys/api-key.store.js';
import type { KeyUsage } from '../keys/key-usage.service.js';
import { IDEMPOTENCY_DAYS, IdempotencyStore } from '../idempotency/idempotency.store.js';
import { SealedResponses } from '../idempotency/sealed-responses.service.js';
import { SignInCodeStore } from '../sign-in/sign-in-code.store.js';
import { PeriodicTask } from './periodic-task.service.js';
import type { PortalTokenStore } from '../portal/portal-token.store.js';

const KEY_USAGE_INTERVAL_MS = 5_000;
const SWEEP_INTERVAL_MS = 600_000;
const DAYS_INTERVAL_MS = 3_600_000;

export interface HousekeepingParts {
  database: Database;
  sealer: Sealer;
  keyUsage: KeyUsage;
  portalTokens: PortalTokenStore;
  logger: Logger;
}

/** Returns a function that stops it. Call that after the last request has ended and before the database is closed. */
export function startHousekeeping(parts: HousekeepingParts): () => Promise<void> {
  const { database, sealer, keyUsage, portalTokens, logger } = parts;
  const usage = new PeriodicTask('save key usage', KEY_USAGE_INTERVAL_MS, () => keyUsage.flush(), logger);
  const apiKeys = new ApiKeyStore(database);
  const signInCodes = new SignInCodeStore(database);
  const deleteEnded = async () => {
    await portalTokens.deleteExpired();
    await apiKeys.deleteEnded();
    await signInCodes.deleteExpired();
  };
  const sweep = new PeriodicTask('sweep portal tokens, keys and sign-in codes', SWEEP_INTERVAL_MS, deleteEnded, logger);
  const partitions = new DayPartitions(database, IDEMPOTENCY_DAYS);
  const renewDays = async () => {
    await partitions.ensure(new Date());
    await partitions.drop(new Date());
  };
  const days = new PeriodicTask('renew idempotency days', DAYS_INTERVAL_MS, renewDays, logger);
  void days.run();
  const reseal = new ResealWorker(new SealedResponses(new IdempotencyStore(database), sealer), logger);
  reseal.start();
  return async () => {
    await Promise.all([usage.stop(), sweep.stop(), days.stop(), reseal.stop()]);
    await usage.run();
  };
}
