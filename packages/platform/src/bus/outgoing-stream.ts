// The service's end of one stream.
import { type Msg, type MsgHdrs, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { NO_RESPONDERS } from './requester.js';
import {
  CANCEL,
  HEARTBEAT_MS,
  NEXT,
  orAborted,
  partHeaders,
  QUIET_HEARTBEATS_MAX,
  type PartKind,
} from './stream-parts.js';

/** The caller has left or died, so a reply would have no reader. */
export class CallerLeftError extends Error {}

export class OutgoingStream {
  private readonly abortion = new AbortController();
  private readonly subscription: Subscription;
  private readonly heartbeats: NodeJS.Timeout;
  private quietHeartbeats = 0;
  private wake: () => void = () => undefined;

  constructor(
    private readonly connection: NatsConnection,
    /** The request that waits for the next part. First the call itself. */
    private request: Msg | null,
    /** Where the caller asks. */
    private readonly control: string,
    heartbeatMs = HEARTBEAT_MS,
  ) {
    const callback = (error: unknown, message: Msg) => void (error || this.receive(message));
    this.subscription = connection.subscribe(this.control, { callback });
    this.heartbeats = setInterval(() => this.heartbeat(), heartbeatMs);
  }

  /** Aborted when the stream has ended for another reason than its own last part. */
  get signal(): AbortSignal {
    return this.abortion.signal;
  }

  /** Waits until the caller asks. Throws the reason of an abort. */
  async asked(): Promise<void> {
    while (!this.request) {
      await orAborted(this.signal, new Promise<void>((resolve) => (this.wake = resolve)));
    }
  }

  /** Replies as soon as the caller asks. Throws the reason of an abort before that. */
  async send(kind: PartKind, payload?: string, more?: MsgHdrs): Promise<void> {
    // A heartbeat may have replied meanwhile.
    while (!this.reply(kind, payload, more)) await this.asked();
  }

  abort(reason: Error): void {
    this.abortion.abort(reason);
  }

  close(): void {
    clearInterval(this.heartbeats);
    this.subscription.unsubscribe();
  }

  /** What the caller sent. The broker replies if the caller's inbox has no subscriber. */
  private receive(message: Msg): void {
    if (message.headers?.code === NO_RESPONDERS) return this.abort(new CallerLeftError('the caller is not connected'));
    this.quietHeartbeats = 0;
    const text = message.string();
    if (text === CANCEL) this.abort(new CallerLeftError('the caller cancelled'));
    if (text !== NEXT) return;
    this.request = message;
    this.wake();
  }

  /** A process that stood still counts one, whatever the clock says. */
  private heartbeat(): void {
    if (++this.quietHeartbeats > QUIET_HEARTBEATS_MAX) this.abort(new CallerLeftError('the caller is silent'));
    else this.reply('alive');
  }

  /** False if nothing was asked. */
  private reply(kind: PartKind, payload = '', more?: MsgHdrs): boolean {
    const { request } = this;
    this.request = null;
    if (request && !this.connection.isClosed()) {
      request.respond(payload, { reply: this.control, headers: partHeaders(kind, more) });
    }
    return request !== null;
  }
}
