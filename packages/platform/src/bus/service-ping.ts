// A ping that every service process answers at once, whatever its operations are doing. It distinguishes an unresponsive service
// from a slow call.
import { headers, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { pingSubject } from './names.js';
import { NoReplyError, Requester } from './requester.js';

const PING_TIMEOUT_MS = 1_000;

export class ServicePing {
  private readonly requester: Requester;

  constructor(
    connection: NatsConnection,
    private readonly namespace: string,
    private readonly timeoutMs = PING_TIMEOUT_MS,
  ) {
    this.requester = new Requester(connection);
  }

  /** False if a process received the ping and did not reply. If no process listens, the broker replies at once. */
  async isAnswered(service: string): Promise<boolean> {
    const options = { service, timeoutMs: this.timeoutMs, headers: headers() };
    try {
      await this.requester.request(pingSubject(this.namespace, service), '', options);
      return true;
    } catch (error) {
      return !(error instanceof NoReplyError);
    }
  }
}

export function answerPings(connection: NatsConnection, namespace: string, service: string): Subscription {
  return connection.subscribe(pingSubject(namespace, service), {
    queue: service,
    callback: (error, message) => {
      if (!error) message.respond();
    },
  });
}
