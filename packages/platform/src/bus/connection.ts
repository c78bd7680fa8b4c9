// One NATS connection per process. It reconnects without limit, so a broker restart only causes a pause.
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../observability/logger.js';

export type { NatsConnection } from '@nats-io/transport-node';

export interface BusConnectionOptions {
  /** `nats://user:password@host:port`, comma-separated for a cluster. */
  url: string;
  /** Shown in the broker's monitoring. */
  name: string;
  logger: Logger;
}

const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_WAIT_MS = 250;
const PING_INTERVAL_MS = 10_000;

/** The client expects the credentials separately from the addresses. */
function parseServers(url: string): { servers: string[]; user?: string; pass?: string } {
  const addresses = url.split(',').map((address) => new URL(address.trim()));
  const servers = addresses.map((address) => `${address.protocol}//${address.host}`);
  const first = addresses[0];
  if (!first?.username) return { servers };
  return { servers, user: decodeURIComponent(first.username), pass: decodeURIComponent(first.password) };
}

export async function connectBus({ url, name, logger }: BusConnectionOptions): Promise<NatsConnection> {
  const connection = await connect({
    ...parseServers(url),
    name,
    timeout: CONNECT_TIMEOUT_MS,
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: 2,
  });
  void logStatus(connection, logger);
  return connection;
}

async function logStatus(connection: NatsConnection, logger: Logger): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'reconnect')
      logger.warn({ bus: status.type }, 'bus connection');
    else if (status.type === 'error') logger.error({ err: status.error }, 'bus error');
  }
}
