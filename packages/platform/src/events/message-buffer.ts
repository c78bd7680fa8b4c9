// Collects what the broker pushes while a batch is at work, and hands it out in batches: small under light load (no added
// latency), full under heavy load.
import type { JsMsg } from '@nats-io/jetstream';

export class MessageBuffer {
  private waiting: JsMsg[] = [];
  private closed = false;
  private wake: (() => void) | null = null;

  constructor(private readonly batchSize: number) {}

  push(message: JsMsg): void {
    if (this.closed) return;
    this.waiting.push(message);
    this.wake?.();
  }

  /** Ends `batches` once it is asked for the next one. */
  close(): void {
    this.closed = true;
    this.waiting = [];
    this.wake?.();
  }

  async *batches(): AsyncGenerator<JsMsg[]> {
    while (!this.closed) {
      if (this.waiting.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
      this.wake = null;
      if (this.waiting.length > 0) yield this.waiting.splice(0, this.batchSize);
    }
  }
}
