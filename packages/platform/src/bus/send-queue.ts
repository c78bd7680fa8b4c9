// Batches the messages that one pass of the event loop produces, and sends them at its end. The client writes to its socket once
// per microtask; sent together, many messages share one write and wake the broker once.
export class SendQueue {
  private pending: (() => void)[] = [];

  /** `send` must not throw. It runs before the next pass of the event loop. */
  add(send: () => void): void {
    if (this.pending.push(send) === 1) setImmediate(this.flush);
  }

  private readonly flush = (): void => {
    const sends = this.pending;
    this.pending = [];
    for (const send of sends) send();
  };
}
