// Opens the Redis that a gateway is configured for.
import type { Logger } from '@kiln/platform';
import { RedisMaster } from './redis-master.adapter.js';
import { sentinelsOf, type RedisConfig } from './redis-sentinels.config.js';
import { connectRedis, type RedisCommands } from './redis.adapter.js';
import { Sentinels } from './sentinels.adapter.js';

/** Returns at once and keeps trying to connect until `destroy`. */
export function openRedis(config: RedisConfig & { readonly REDIS_URL: string }, logger: Logger): RedisCommands {
  const { REDIS_URL: url } = config;
  const sentinels = sentinelsOf(config);
  return sentinels === null ? connectRedis(url, logger) : new RedisMaster(url, new Sentinels(url, sentinels), logger);
}
