// Limits the bytes that concurrent runs hold in memory. Runs wait in the order in which they came.

interface Waiting {
  bytes: number;
  enter: () => void;
}

export class ByteSemaphore {
  private free: number;
  private readonly waiting: Waiting[] = [];

  constructor(private readonly bytesMax: number) {
    this.free = bytesMax;
  }

  /** Resolves once there is room, with a function that gives it back. More than all bytes are granted alone. Rejects with the signal's reason. */
  async take(wanted: number, signal: AbortSignal): Promise<() => void> {
    const bytes = Math.min(wanted, this.bytesMax);
    await this.enter(bytes, signal);
    let isTaken = true;
    return () => {
      if (isTaken) this.giveBack(bytes);
      isTaken = false;
    };
  }

  private enter(bytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        // It may have stood before smaller ones.
        this.admit();
        reject(signal.reason as Error);
      };
      const enter = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const waiting = { bytes, enter };
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.push(waiting);
      this.admit();
    });
  }

  private giveBack(bytes: number): void {
    this.free += bytes;
    this.admit();
  }

  private admit(): void {
    for (let first = this.waiting[0]; first !== undefined && first.bytes <= this.free; first = this.waiting[0]) {
      this.waiting.shift();
      this.free -= first.bytes;
      first.enter();
    }
  }
}
