// Revokes a key on every gateway, from a command. It sets a mark in Redis if its address is given, and otherwise waits for the
// TTL.
import { Revocations } from '../keys/revocations.adapter.js';
import { tlsOf } from '../redis/redis-address.config.js';
import { loadRevocationConfig } from './cli.config.js';

/** Resolves once no gateway accepts the key. Returns false if `revoke` found no key. */
export async function revokeKeyEverywhere(key: string, revoke: () => Promise<boolean>): Promise<boolean> {
  const { REDIS_URL, KILN_BUS_NAMESPACE } = loadRevocationConfig();
  if (REDIS_URL === undefined) return new Revocations(null, KILN_BUS_NAMESPACE).end(key, revoke);
  const { createClient } = await import('redis');
  const socket = { ...tlsOf(REDIS_URL), reconnectStrategy: false } as const;
  const redis = createClient({ url: REDIS_URL, socket, disableOfflineQueue: true });
  redis.on('error', () => undefined); // The failing command reports it, and waiting makes up for it.
  await redis.connect().catch(() => undefined);
  try {
    return await new Revocations(redis, KILN_BUS_NAMESPACE).end(key, revoke);
  } finally {
    redis.destroy();
  }
}
