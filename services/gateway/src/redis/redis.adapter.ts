// The Redis connection, which may be lost and restored. While it is lost, commands fail at once instead of queueing.
import type { Logger } from '@kiln/platform';
import { backoff } from '@kiln/resilience';
import { createClient } from 'redis';
import { tlsOf } from './redis-address.config.js';

const CONNECT_TIMEOUT_MS = 2_000;
const RECONNECT_WAIT_MS = { first: 50, max: 1_000 };

export type Redis = ReturnType<typeof connectRedis>;
/** The part that the gateway uses. */
export type RedisCommands = Pick<Redis, 'isReady' | 'eval' | 'evalSha' | 'set' | 'zRem'> & {
  /** After each start of a connection. */
  on: (event: 'ready', listener: () => void) => unknown;
  destroy: () => void;
};

/** Returns at once and keeps trying to connect until `destroy`. */
export function connectRedis(url: string, logger: Logger) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    // Callers set their own timeouts. The client's timeout would leave a timer and an abort signal of 5 s for each command.
    commandOptions: { timeout: 0 },
    socket: {
      ...tlsOf(url),
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (retries) => backoff(RECONNECT_WAIT_MS, retries),
    },
  });
  client.on('error', (error: unknown) => logger.warn({ err: error }, 'Redis connection failed'));
  void client.connect().catch(() => undefined); // The event above reports it, and the client keeps trying.
  return client;
}
