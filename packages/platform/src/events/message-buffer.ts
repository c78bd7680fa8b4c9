// Collects messages while a batch is being handled, and passes them on in batches. A single message is passed on at once. After
// that, batches start at least `pace` apart unless they are full, so that a steady flow shares transactions.
import type { JsMsg } from '@nats-io/jetstream';

export interface MessageBufferOptions {
  batchSize: number;
  /** Minimum time between the starts of two batches. */
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

  /** Ends `batches` at the next read, and returns buffered messages to the broker at once, so that it need not wait for a timeout. */
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

  /** Resolves on the first message, a full batch, the end, or a timeout. */
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
