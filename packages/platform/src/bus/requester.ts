// Request and reply over one inbox for each service that is called. It differs from the client's own `request` in two ways. When the connection drops, it
// fails all open calls at once, because their replies may be lost. It creates no stack traces for calls that succeed; those took a
// quarter of a call's CPU time.
// The multiplexed inbox is the pattern of NATS: https://docs.nats.io/nats-concepts/core-nats/reqreply
import { asCodedError } from '@kiln/contracts';
import { errors, type Msg, type MsgHdrs, type NatsConnection, type Status } from '@nats-io/transport-node';
import { createServiceInbox } from './inbox.js';

/** No process received the request. It was certainly not started. */
export class NoResponderError extends Error {}
/** The deadline passed or the connection dropped. The request may have been carried out. */
export class NoReplyError extends Error {}

interface Waiting {
  subject: string;
  resolve: (reply: Msg) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

export interface RequestOptions {
  /** The service that replies. */
  service: string;
  timeoutMs: number;
  headers: MsgHdrs;
}

/** The broker replies with this status when a subject has no subscriber. */
export const NO_RESPONDERS = 503;

export class Requester {
  private readonly inboxes = new Map<string, string>();
  private readonly waiting = new Map<string, Waiting>();
  private sent = 0;

  constructor(private readonly connection: NatsConnection) {
    void this.watchConnection();
  }

  /** Throws NoResponderError or NoReplyError, or INTERNAL_ERROR if the login may not publish to the subject. */
  request(subject: string, payload: string, { service, timeoutMs, headers }: RequestOptions): Promise<Msg> {
    return new Promise<Msg>((resolve, reject) => {
      let reply = '';
      try {
        reply = `${this.inboxOf(service)}.${++this.sent}`;
        const timer = setTimeout(() => this.end(reply)?.reject(new NoReplyError('no reply in time')), timeoutMs);
        this.waiting.set(reply, { subject, resolve, reject, timer });
        this.connection.publish(subject, payload, { reply, headers });
      } catch (error) {
        this.end(reply);
        reject(new NoResponderError('not sent', { cause: error }));
      }
    });
  }

  private inboxOf(service: string): string {
    let inbox = this.inboxes.get(service);
    if (inbox === undefined) {
      inbox = createServiceInbox(this.connection, service);
      const callback = (error: Error | null, reply: Msg) => void (error || this.receive(reply));
      this.connection.subscribe(`${inbox}.*`, { callback });
      this.inboxes.set(service, inbox);
    }
    return inbox;
  }

  private receive(reply: Msg): void {
    const waiting = this.end(reply.subject);
    if (!waiting) return;
    const unheard = reply.headers?.code === NO_RESPONDERS && reply.data.length === 0;
    if (unheard) waiting.reject(new NoResponderError('no responders'));
    else waiting.resolve(reply);
  }

  private end(reply: string): Waiting | undefined {
    const waiting = this.waiting.get(reply);
    if (waiting) {
      this.waiting.delete(reply);
      clearTimeout(waiting.timer);
    }
    return waiting;
  }

  private async watchConnection(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect') this.endAll();
      else if (status.type === 'error') this.endRefused(status);
    }
    this.endAll();
  }

  /** The broker names the subject, not the message. It refuses all messages to this subject. */
  private endRefused({ error }: Extract<Status, { type: 'error' }>): void {
    if (!(error instanceof errors.PermissionViolationError) || error.operation !== 'publish') return;
    for (const [reply, { subject }] of this.waiting)
      if (subject === error.subject) this.end(reply)?.reject(asCodedError(error));
  }

  private endAll(): void {
    for (const reply of this.waiting.keys()) this.end(reply)?.reject(new NoReplyError('the connection dropped'));
  }
}
