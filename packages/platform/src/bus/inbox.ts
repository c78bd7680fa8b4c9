// The subjects of replies. A reply to a call goes to `_INBOX.<login>.<service>.<process>.<call>`: with a login for each service, only the caller's
// login may subscribe to it, and only the service that was called may publish to it (docs/adr/0026-a-login-per-service.md).
import { createInbox, nuid, type Msg, type NatsConnection } from '@nats-io/transport-node';

const INBOXES = '_INBOX';

/** All inboxes of a login begin with it. The client puts those of JetStream under it as well. */
export const inboxPrefix = (login: string) => `${INBOXES}.${login}`;

export interface Inbox {
  /** Matches the reply subjects of all calls. */
  pattern: string;
  /** The reply subject of one call to a service. */
  replyOf: (service: string, call: number) => string;
}

/** The subject for the replies of the broker itself. */
export const createBrokerInbox = (connection: NatsConnection) => createInbox(prefixOf(connection));

function prefixOf(connection: NatsConnection): string {
  const { options } = connection as NatsConnection & { options?: { inboxPrefix?: string } };
  return options?.inboxPrefix ?? INBOXES;
}

export function createCallInbox(connection: NatsConnection): Inbox {
  const prefix = prefixOf(connection);
  const unique = nuid.next();
  return {
    pattern: `${prefix}.*.${unique}.*`,
    replyOf: (service, call) => `${prefix}.${service}.${unique}.${call}`,
  };
}

/**
 * Whether a process waits for the reply to this message. The broker checks the permission for the subject of a message, not for its reply
 * subject. A login that may read a stream can therefore have a stored message delivered to any subject; its reply subject then begins
 * with `$JS.ACK`.
 */
export const isCall = ({ reply }: Pick<Msg, 'reply'>) => reply?.startsWith(`${INBOXES}.`) === true;
