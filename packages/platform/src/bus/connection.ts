// One NATS connection per process. It reconnects without limit, so a broker restart only causes a pause.
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { certificateFilesOf, type CertificateFiles } from '../config/certificate-files.js';
import type { Logger } from '../observability/logger.js';

export type { NatsConnection } from '@nats-io/transport-node';

export interface BusConnectionOptions {
  /**
   * `nats://user:password@host:port`, comma-separated for a cluster. `tls://` requires TLS, with the certificates that
   * `?sslrootcert=<file>&sslcert=<file>&sslkey=<file>` names.
   */
  url: string;
  /** Shown in the broker's monitoring. */
  name: string;
  logger: Logger;
}

const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_WAIT_MS = 250;
const PING_INTERVAL_MS = 10_000;

/**
 * The client expects the credentials and TLS separately from the addresses. With `tls`, it sends nothing to a server without TLS, or
 * with a certificate that it does not trust.
 */
function parseServers(url: string) {
  const addresses = url.split(',').map((address) => new URL(address.trim()));
  const certificates = Object.assign({}, ...addresses.map(certificateFilesOf)) as CertificateFiles;
  const isTls = addresses.some(({ protocol }) => protocol === 'tls:') || Object.keys(certificates).length > 0;
  const { username = '', password = '' } = addresses[0] ?? {};
  return {
    servers: addresses.map(({ host }) => host),
    ...(username !== '' && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(isTls && { tls: certificates }),
  };
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
