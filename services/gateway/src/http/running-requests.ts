// Counts the requests whose handlers are at work. A caller may be gone while its handler still takes back what it stored,
// so the end of a connection is not the end of its request.
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

  /** Resolves once no handler is at work. */
  async settled(): Promise<void> {
    if (this.count > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
