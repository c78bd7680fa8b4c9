// Sends what one turn of the event loop produced back to back at its end. The client writes to its socket once per
// microtask; sent together, many messages share one write, and the broker wakes once for all of them.
export class SendQueue {
  private pending: (() => void)[] = [];

  /** `send` must not throw; it runs before the next turn begins. */
  add(send: () => void): void {
    if (this.pending.push(send) === 1) setImmediate(this.flush);
  }

  private readonly flush = (): void => {
    const sends = this.pending;
    this.pending = [];
    for (const send of sends) send();
  };
}
