// One NATS connection per process. It reconnects without limit, so a broker restart only causes a pause.
import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { setImmediate as nextPass } from 'node:timers/promises';
import { certificateFilesOf, type CertificateFiles } from '../config/certificate-files.js';
import type { Logger } from '../observability/logger.js';
import type { Counter } from '../observability/metrics.js';
import { inboxPrefix } from './inbox.js';

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
  /** Counts the subjects that the broker refuses. */
  refusals?: Pick<Counter, 'add'>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_WAIT_MS = 250;
const PING_INTERVAL_MS = 10_000;
/** The login in inboxes, for an address without a user. */
const DEFAULT_LOGIN = 'kiln';

/** Subjects to which a connection may not subscribe. */
const refusedSubscriptions = new WeakMap<NatsConnection, Set<string>>();

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
    inboxPrefix: inboxPrefix(/^[\w-]+$/.test(username) ? username : DEFAULT_LOGIN),
    ...(username !== '' && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(isTls && { tls: certificates }),
  };
}

export async function connectBus({ url, name, ...noted }: BusConnectionOptions): Promise<NatsConnection> {
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
  refusedSubscriptions.set(connection, new Set());
  void noteStatus(connection, noted);
  return connection;
}

/** Throws unless the broker accepts all subscriptions that the process has made so far. */
export async function assertSubscribed(connection: NatsConnection): Promise<void> {
  // The broker replies in order, so every refusal arrives before the end of the flush. It is noted in the same pass of the event loop.
  await connection.flush();
  await nextPass();
  const refused = [...(refusedSubscriptions.get(connection) ?? [])];
  if (refused.length === 0) return;
  throw new Error(
    `The login of NATS_URL may not subscribe to ${refused.join(', ')}. See infra/docker/nats-users.conf.`,
  );
}

type Noted = Pick<BusConnectionOptions, 'logger' | 'refusals'>;

async function noteStatus(connection: NatsConnection, { logger, refusals }: Noted): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect' || status.type === 'reconnect')
      logger.warn({ bus: status.type }, 'bus connection');
    else if (status.type === 'error') {
      if (status.error instanceof errors.PermissionViolationError) {
        const { operation, subject } = status.error;
        logger.error({ operation, subject }, 'the broker refuses a subject to this login');
        refusals?.add(1);
        if (operation === 'subscription') refusedSubscriptions.get(connection)?.add(subject);
      } else logger.error({ err: status.error }, 'bus error');
    }
  }
}
