// Ends a key on every gateway, from a command: through Redis where its address is given, by waiting otherwise.
import { createClient } from 'redis';
import { Revocations } from '../auth/revocations.js';
import { loadRevocationConfig } from './cli.config.js';

/** Resolves once no gateway takes the key; false when `revoke` found nothing to revoke. */
export async function endKey(key: string, revoke: () => Promise<boolean>): Promise<boolean> {
  const { REDIS_URL, KILN_BUS_NAMESPACE } = loadRevocationConfig();
  if (REDIS_URL === undefined) return new Revocations(null, KILN_BUS_NAMESPACE).end(key, revoke);
  const redis = createClient({ url: REDIS_URL, socket: { reconnectStrategy: false }, disableOfflineQueue: true });
  redis.on('error', () => undefined); // Told by the command that fails, and made up for by waiting.
  await redis.connect().catch(() => undefined);
  try {
    return await new Revocations(redis, KILN_BUS_NAMESPACE).end(key, revoke);
  } finally {
    redis.destroy();
  }
}
