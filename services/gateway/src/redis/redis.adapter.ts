// The Redis connection, which may be lost and restored. While it is lost, commands fail at once instead of queueing.
import { certificateFilesOf, type Logger } from '@kiln/platform';
import { backoff } from '@kiln/resilience';
import { readFileSync } from 'node:fs';
import { createClient } from 'redis';
import { z } from 'zod';

export const redisUrlVariable = z
  .string()
  .regex(/^rediss?:\/\//, { error: 'must be a redis:// or rediss:// address', abort: true })
  .refine(isClearAboutTls, { error: 'names certificates, so it must be a rediss:// address' });

/** An operator who names certificates expects TLS, and `redis://` would send the password without it. */
function isClearAboutTls(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const address = new URL(url);
  return address.protocol === 'rediss:' || Object.keys(certificateFilesOf(address)).length === 0;
}

const CONNECT_TIMEOUT_MS = 2_000;
const RECONNECT_WAIT_MS = { first: 50, max: 1_000 };

export type Redis = ReturnType<typeof connectRedis>;

/** Returns the TLS settings with the certificates that the address names, if it is `rediss://`. */
export function tlsOf(url: string) {
  const address = new URL(url);
  if (address.protocol !== 'rediss:') return {};
  const { caFile, certFile, keyFile } = certificateFilesOf(address);
  return {
    tls: true as const,
    ...(caFile && { ca: readFileSync(caFile) }),
    ...(certFile && { cert: readFileSync(certFile) }),
    ...(keyFile && { key: readFileSync(keyFile) }),
  };
}

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
