// The caller's end of one stream. Whatever ends it besides its service, also ends what waits for the service.
import { unavailable } from '@kiln/contracts';
import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { PreparedCall } from './prepare-call.js';
import { errorOf } from './replies.js';
import { NoReplyError, NoResponderError, type Requester, type RequestOptions } from './requester.js';
import { assertRevision } from './revisions.js';
import { ALIVE, CANCEL, HEARTBEAT_MS, kindOf, NEXT, orAborted, QUIET_HEARTBEATS_MAX } from './stream-parts.js';

/** A service accepts or refuses a stream at once, and only then works on it. */
const OPEN_TIMEOUT_MS = 5_000;

export class IncomingStream {
  private readonly abortion = new AbortController();
  private readonly ended: AbortSignal;
  private readonly deadline: NodeJS.Timeout;
  private readonly heartbeats: NodeJS.Timeout;
  private quietHeartbeats = 0;
  private isWaiting = false;
  /** Where the service listens. Null until it has accepted the call, and after the last part. */
  private control: string | null = null;

  constructor(
    private readonly connection: Pick<NatsConnection, 'publish' | 'isClosed'>,
    private readonly requester: Pick<Requester, 'request'>,
    private readonly call: PreparedCall,
    caller: AbortSignal,
    heartbeatMs = HEARTBEAT_MS,
  ) {
    this.ended = AbortSignal.any([caller, this.abortion.signal]);
    this.deadline = setTimeout(() => this.breakOff(new Error('the deadline has passed')), call.timeoutMs);
    this.heartbeats = setInterval(() => this.heartbeat(), heartbeatMs);
  }

  /** Waits until a process of the service has accepted the call. */
  async open(subject: string): Promise<void> {
    const { payload, timeoutMs, service } = this.call;
    const asked = { service, timeoutMs: Math.min(timeoutMs, OPEN_TIMEOUT_MS), headers: this.call.headers };
    const message = await this.ask(subject, payload, asked);
    assertRevision(message, this.call.revision, this.call.service);
    this.control = message.reply ?? null;
  }

  /** The next item, or the output. Throws the service's error, UNAVAILABLE when the stream broke off, or the reason of the caller. */
  async next(): Promise<{ isLast: boolean; value: unknown }> {
    const { timeoutMs, service } = this.call;
    const asked = { service, timeoutMs, headers: headers() };
    for (;;) {
      const message = await this.ask(this.control ?? '', NEXT, asked);
      const kind = kindOf(message);
      if (kind === 'alive') continue;
      if (kind === 'end') this.control = null;
      return { isLast: kind === 'end', value: JSON.parse(message.string()) };
    }
  }

  /** Stops the work of the service, if it has not ended. */
  close(): void {
    clearTimeout(this.deadline);
    clearInterval(this.heartbeats);
    this.tell(CANCEL);
  }

  private async ask(subject: string, payload: string, asked: RequestOptions): Promise<Msg> {
    this.quietHeartbeats = 0;
    this.isWaiting = true;
    try {
      const message = await orAborted(this.ended, this.requester.request(subject, payload, asked));
      const error = errorOf(message);
      if (!error) return message;
      this.control = null;
      throw error;
    } catch (error) {
      throw error instanceof NoReplyError || error instanceof NoResponderError ? this.broken(error) : error;
    } finally {
      this.isWaiting = false;
    }
  }

  /** A process that stood still counts one, whatever the clock says. */
  private heartbeat(): void {
    if (this.isWaiting && this.control !== null && ++this.quietHeartbeats > QUIET_HEARTBEATS_MAX) {
      this.breakOff(new NoReplyError('silence'));
    }
    // A reader that never comes back must not keep the work of the service alive.
    if (!this.ended.aborted) this.tell(ALIVE);
  }

  private breakOff(cause: Error): void {
    this.abortion.abort(this.broken(cause));
  }

  private tell(text: string): void {
    if (this.control !== null && !this.connection.isClosed()) this.connection.publish(this.control, text);
  }

  private broken(cause: Error): Error {
    return unavailable(`The ${this.call.service} service`, cause);
  }
}
