// The service's end of one stream.
import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import {
  CANCEL,
  frameHeaders,
  NO_RESPONDERS,
  QUIET_HEARTBEATS_MAX,
  WINDOW_BYTES,
  type FrameKind,
} from './stream-frames.js';

/** The caller has left or died. Nobody reads a reply. */
export class CallerLeftError extends Error {}

export class OutgoingStream {
  private readonly abortion = new AbortController();
  private sequence = 0;
  private sentBytes = 0;
  private acknowledgedBytes = 0;
  private heartbeatsWithoutControl = 0;
  private isSilent = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly connection: Pick<NatsConnection, 'publish' | 'isClosed'>,
    /** The caller's inbox. */
    private readonly inbox: string,
    /** Where the service listens for this stream. */
    private readonly control: string,
  ) {}

  /** Aborted when the stream has ended for another reason than its own last frame. */
  get signal(): AbortSignal {
    return this.abortion.signal;
  }

  send(kind: FrameKind, payload = '', more?: MsgHdrs): void {
    if (this.connection.isClosed()) return;
    this.isSilent = false;
    if (kind === 'item') this.sentBytes += Buffer.byteLength(payload);
    const headers = frameHeaders(this.sequence++, kind, more);
    this.connection.publish(this.inbox, payload, { reply: this.control, headers });
  }

  /** Waits until the caller has consumed enough for the next item. Throws the reason of the abort. */
  async room(): Promise<void> {
    while (this.sentBytes - this.acknowledgedBytes >= WINDOW_BYTES) {
      await this.orAborted(new Promise<void>((resolve) => (this.wake = resolve)));
    }
  }

  /** Like `work`, but throws the reason of an abort at once. */
  async orAborted<Result>(work: Promise<Result>): Promise<Result> {
    const { signal } = this;
    let onAbort = () => undefined as void;
    const aborted = new Promise<never>((_resolve, reject) => {
      onAbort = () => reject(signal.reason as Error);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([work, aborted]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** The caller's message: a cancellation, or how many bytes it has consumed. The broker replies if nobody listens to the inbox. */
  receive(message: Msg): void {
    if (message.headers?.code === NO_RESPONDERS) return this.abort(new CallerLeftError('the caller is not connected'));
    this.heartbeatsWithoutControl = 0;
    const text = message.string();
    if (text === CANCEL) return this.abort(new CallerLeftError('the caller cancelled'));
    this.acknowledgedBytes = Math.max(this.acknowledgedBytes, Number(text) || 0);
    this.wake();
  }

  /** To be called at the interval of heartbeats. A process that stood still counts one, whatever the clock says. */
  heartbeat(): void {
    if (++this.heartbeatsWithoutControl > QUIET_HEARTBEATS_MAX) this.abort(new CallerLeftError('the caller is silent'));
    else if (this.isSilent) this.send('alive');
    this.isSilent = true;
  }

  abort(reason: Error): void {
    this.abortion.abort(reason);
  }
}
