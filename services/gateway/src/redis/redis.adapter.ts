// The Redis connection, which may be lost and restored. While it is lost, commands fail at once instead of queueing.
import type { Logger } from '@kiln/platform';
import { backoff, within } from '@kiln/resilience';
import { createClient } from 'redis';
import { tlsOf } from './redis-address.config.js';

const CONNECT_TIMEOUT_MS = 2_000;
const RECONNECT_WAIT_MS = { first: 50, max: 1_000 };
/**
 * The time between two questions whether the server is there, and the time for the answer. A host that is gone need not have closed its
 * connections. The system notices that after a quarter of an hour, and commands would wait until then.
 */
const CHECK_MS = 5_000;

export type Redis = ReturnType<typeof connectRedis>;
/** The part that the gateway uses. */
export type RedisCommands = Pick<Redis, 'isReady' | 'eval' | 'evalSha' | 'set' | 'zRem'> & {
  /** After each start of a connection. */
  on: (event: 'ready', listener: () => void) => unknown;
  destroy: () => void;
};

/** Returns at once and keeps trying to connect until `destroy`. */
export function connectRedis(url: string, logger: Logger, checkMs = CHECK_MS) {
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
  const connect = () => void client.connect().catch(() => undefined); // The event above reports it, and the client keeps trying.
  let timer: NodeJS.Timeout | undefined;
  const isSilent = () => within(checkMs, client.ping().then(no, no), () => client.isReady);
  const leaveIfSilent = async () => {
    if (!client.isReady || !(await isSilent())) return;
    logger.warn({}, 'Redis does not answer. The gateway connects again');
    client.destroy();
    connect();
  };
  client.on('ready', () => {
    clearInterval(timer);
    timer = setInterval(() => void leaveIfSilent(), checkMs).unref();
  });
  client.on('end', () => clearInterval(timer));
  connect();
  return client;
}

/** An error is an answer, too. */
const no = () => false;
