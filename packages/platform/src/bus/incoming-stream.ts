// The caller's end of one stream. It keeps the frames that its reader has not taken yet, at most `WINDOW_BYTES` and one item.
import { unavailable } from '@kiln/contracts';
import type { Msg } from '@nats-io/transport-node';
import { NoReplyError, NoResponderError } from './requester.js';
import { CANCEL, frameOf, NO_RESPONDERS, QUIET_HEARTBEATS_MAX, WINDOW_BYTES, type Frame } from './stream-frames.js';

export class IncomingStream {
  private readonly frames: Frame[] = [];
  private expected = 0;
  private heartbeatsWithoutFrame = 0;
  private consumedBytes = 0;
  private acknowledgedBytes = 0;
  /** Where the service listens. Null until the first frame. */
  private control: string | null = null;
  /** Whether the last frame has arrived. */
  private isComplete = false;
  private failure: Error | null = null;
  private wake: () => void = () => undefined;

  constructor(
    private readonly service: string,
    private readonly publish: (subject: string, payload: string) => void,
  ) {}

  get hasFailed(): boolean {
    return this.failure !== null;
  }

  receive(message: Msg): void {
    if (message.headers?.code === NO_RESPONDERS) return this.fail(this.broken(new NoResponderError('no responders')));
    this.heartbeatsWithoutFrame = 0;
    this.control = message.reply ?? null;
    const frame = frameOf(message);
    if (frame?.sequence !== this.expected) return this.fail(this.broken(new NoReplyError('a frame was lost')));
    this.expected++;
    if (frame.kind === 'alive') return;
    this.isComplete = frame.kind === 'end' || frame.kind === 'error';
    this.frames.push(frame);
    this.wake();
  }

  /** The next frame. Throws UNAVAILABLE when the stream broke off, or the error given to `fail`. */
  async next(): Promise<Frame> {
    for (;;) {
      if (this.failure) throw this.failure;
      const frame = this.frames.shift();
      if (frame) {
        this.consume(frame);
        return frame;
      }
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** To be called at the interval of heartbeats. A process that stood still counts one, whatever the clock says. */
  heartbeat(): void {
    if (this.isComplete) return;
    if (++this.heartbeatsWithoutFrame > QUIET_HEARTBEATS_MAX) this.fail(this.broken(new NoReplyError('silence')));
    else this.acknowledge();
  }

  connectionLost(): void {
    this.fail(this.broken(new NoReplyError('the connection dropped')));
  }

  /** Ends the stream for its reader, unless the last frame has arrived. */
  fail(error: Error): void {
    if (this.isComplete) return;
    this.failure ??= error;
    this.wake();
  }

  /** Stops the work of the service, if it has not ended. */
  close(): void {
    if (!this.isComplete && this.control !== null) this.publish(this.control, CANCEL);
  }

  private consume({ kind, message }: Frame): void {
    if (kind !== 'item') return;
    this.consumedBytes += message.data.length;
    if (this.consumedBytes - this.acknowledgedBytes >= WINDOW_BYTES / 4) this.acknowledge();
  }

  private acknowledge(): void {
    if (this.control === null) return;
    this.acknowledgedBytes = this.consumedBytes;
    this.publish(this.control, String(this.consumedBytes));
  }

  private broken(cause: Error): Error {
    return unavailable(`The ${this.service} service`, cause);
  }
}
