// Counts the running handlers. A handler may still remove what it has stored after its caller disconnected, so it may end later
// than its connection.
export class RunningRequests {
  private count = 0;
  private readonly waiting: (() => void)[] = [];

  async track<T>(work: Promise<T>): Promise<T> {
    this.count++;
    try {
      return await work;
    } finally {
      this.count--;
      if (this.count === 0) for (const resolve of this.waiting.splice(0)) resolve();
    }
  }

  /** Resolves once no handler is running. */
  async ended(): Promise<void> {
    if (this.count > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
