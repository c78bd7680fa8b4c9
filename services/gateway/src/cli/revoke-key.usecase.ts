// Revokes a key on every gateway, from a command. It sets a mark in Redis if its address is given, and otherwise waits for the
// TTL.
import { Revocations } from '../keys/revocations.adapter.js';
import { tlsOf } from '../redis/redis-address.config.js';
import { sentinelsOf, urlOf, type SentinelSettings } from '../redis/redis-sentinels.config.js';
import { loadRevocationConfig } from './cli.config.js';

/** Resolves once no gateway accepts the key. Returns false if `revoke` found no key. */
export async function revokeKeyEverywhere(key: string, revoke: () => Promise<boolean>): Promise<boolean> {
  const config = loadRevocationConfig();
  const { REDIS_URL, KILN_BUS_NAMESPACE } = config;
  const url = REDIS_URL === undefined ? null : await masterOf(REDIS_URL, sentinelsOf(config));
  if (url === null) return new Revocations(null, KILN_BUS_NAMESPACE).end(key, revoke);
  const { createClient } = await import('redis');
  const socket = { ...tlsOf(url), reconnectStrategy: false } as const;
  const redis = createClient({ url, socket, disableOfflineQueue: true });
  redis.on('error', () => undefined); // The failing command reports it, and waiting makes up for it.
  await redis.connect().catch(() => undefined);
  try {
    return await new Revocations(redis, KILN_BUS_NAMESPACE).end(key, revoke);
  } finally {
    redis.destroy();
  }
}

/** Null if no sentinel names a master. */
async function masterOf(url: string, settings: SentinelSettings | null): Promise<string | null> {
  if (settings === null) return url;
  const { Sentinels } = await import('../redis/sentinels.adapter.js');
  const sentinels = new Sentinels(url, settings);
  try {
    return urlOf(url, await sentinels.master());
  } catch {
    return null;
  } finally {
    sentinels.close();
  }
}
