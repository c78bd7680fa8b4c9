// The subjects of replies. A reply to a call goes to `_INBOX.<login>.<service>.<random>.<call>`: with a login for each service, only the caller's
// login may subscribe to it, and only the service that was called may publish to it (docs/adr/0026-a-login-per-service.md).
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { randomBytes } from 'node:crypto';

const INBOXES = '_INBOX';

/** All inboxes of a login begin with it. The client puts those of JetStream under it as well. */
export const inboxPrefix = (login: string) => `${INBOXES}.${login}`;

/** One word of a subject. Whoever knows some of them cannot guess another, unlike with the ids of the client. */
export const randomToken = () => randomBytes(16).toString('hex');

/** For the replies of a service. No other service learns it. */
export const createServiceInbox = (connection: NatsConnection, service: string) =>
  `${prefixOf(connection)}.${service}.${randomToken()}`;

/** For the replies of the broker itself. */
export const createBrokerInbox = (connection: NatsConnection) => `${prefixOf(connection)}.${randomToken()}`;

function prefixOf(connection: NatsConnection): string {
  const { options } = connection as NatsConnection & { options?: { inboxPrefix?: string } };
  return options?.inboxPrefix ?? INBOXES;
}

/**
 * Whether a process waits for the reply to this message. The broker checks the permission for the subject of a message, not for its reply
 * subject. A login that may read a stream can therefore have a stored message delivered to any subject; its reply subject then begins
 * with `$JS.ACK`.
 */
export const isCall = ({ reply }: Pick<Msg, 'reply'>) => reply?.startsWith(`${INBOXES}.`) === true;
