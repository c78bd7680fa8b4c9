// Collects what the broker pushes while a batch is at work, and hands it out in batches. A lone message is handed out at once;
// after that batches begin a pace apart unless they are full, so that a steady flow shares transactions instead of having one
// for every message or two.
import type { JsMsg } from '@nats-io/jetstream';

export interface MessageBufferOptions {
  batchSize: number;
  /** Least time from the beginning of one batch to that of the next. */
  paceMs: number;
}

export class MessageBuffer {
  private readonly waiting: JsMsg[] = [];
  private closed = false;
  private wake: () => void = () => {};

  constructor(private readonly options: MessageBufferOptions) {}

  push(message: JsMsg): void {
    if (this.closed) return message.nak();
    const count = this.waiting.push(message);
    if (count === 1 || count === this.options.batchSize) this.wake();
  }

  /** Ends `batches` once it is asked for the next one, and gives back what waits: the broker need not miss it first. */
  close(): void {
    this.closed = true;
    for (const message of this.waiting.splice(0)) message.nak();
    this.wake();
  }

  async *batches(): AsyncGenerator<JsMsg[]> {
    const { batchSize, paceMs } = this.options;
    let nextAt = 0;
    while (!this.closed) {
      if (this.waiting.length === 0) {
        await this.woken();
        continue;
      }
      const earlyMs = nextAt - performance.now();
      if (earlyMs > 0 && this.waiting.length < batchSize) await this.woken(earlyMs);
      if (this.waiting.length === 0) continue;
      nextAt = performance.now() + paceMs;
      yield this.waiting.splice(0, batchSize);
    }
  }

  /** By the first message, by a full batch, by the end, or after so many milliseconds. */
  private woken(withinMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
