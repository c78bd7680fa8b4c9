// Runs the background work of a gateway: it saves key usage, deletes expired portal tokens and sign-in codes, ended keys and old
// answers, and reseals answers with the newest key.
import { DayPartitions, PollingLoop, ResealWorker, type Database, type Logger, type Sealer } from '@kiln/platform';
import { ApiKeyStore } from '../keys/api-key.store.js';
import type { KeyUsage } from '../keys/key-usage.service.js';
import { IDEMPOTENCY_DAYS, IdempotencyStore } from '../idempotency/idempotency.store.js';
import { SealedResponses } from '../idempotency/sealed-responses.service.js';
import { SignInCodeStore } from '../sign-in/sign-in-code.store.js';
import type { PortalTokenStore } from '../portal/portal-token.store.js';

const KEY_USAGE_INTERVAL_MS = 5_000;
const SWEEP_INTERVAL_MS = 600_000;
const DAYS_INTERVAL_MS = 3_600_000;

interface HousekeepingParts {
  database: Database;
  sealer: Sealer;
  keyUsage: KeyUsage;
  portalTokens: PortalTokenStore;
  logger: Logger;
}

/** Returns a function that stops it. Call that after the last request has ended and before the database is closed. */
export function startHousekeeping(parts: HousekeepingParts): () => Promise<void> {
  const { database, sealer, keyUsage, portalTokens, logger } = parts;
  const every = (pollMs: number, name: string, work: () => Promise<void>) =>
    new PollingLoop({ name, pollMs, logger, round: () => work().then(() => false) });
  const apiKeys = new ApiKeyStore(database);
  const signInCodes = new SignInCodeStore(database);
  const partitions = new DayPartitions(database, IDEMPOTENCY_DAYS);
  const workers = [
    every(KEY_USAGE_INTERVAL_MS, 'key usage', () => keyUsage.flush()),
    every(SWEEP_INTERVAL_MS, 'sweep of portal tokens, keys and sign-in codes', async () => {
      await portalTokens.deleteExpired();
      await apiKeys.deleteEnded();
      await signInCodes.deleteExpired();
    }),
    every(DAYS_INTERVAL_MS, 'idempotency days', async () => {
      await partitions.ensure(new Date());
      await partitions.drop(new Date());
    }),
    new ResealWorker(new SealedResponses(new IdempotencyStore(database), sealer), logger),
  ];
  for (const worker of workers) worker.start();
  return async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await keyUsage.flush();
  };
}
