// Discards bodies at a bounded rate for the whole process: the callers of refused requests wait, and no other request waits for them.
import type { Readable } from 'node:stream';

const INTERVAL_MS = 100;
/** 80 MiB/s take about a tenth of a core. */
export const BYTES_PER_INTERVAL = 8 * 1024 * 1024;
/** What Node reads from a socket at a time. */
const CHUNK_BYTES = 64 * 1024;

export class BodyDiscard {
  private bytesLeft = BYTES_PER_INTERVAL;
  /** The bodies that wait for the next interval, the one that waits longest first. */
  private readonly paused: Readable[] = [];
  private timer: NodeJS.Timeout | null = null;

  /** Reads the body until it ends or is destroyed. */
  start(body: Readable): void {
    body.on('data', ({ length }: Buffer) => {
      this.bytesLeft -= length;
      if (this.bytesLeft > 0) return;
      body.pause();
      this.paused.push(body);
      this.timer ??= setInterval(() => this.beginInterval(), INTERVAL_MS).unref();
    });
    body.resume();
  }

  private beginInterval(): void {
    this.bytesLeft = Math.min(this.bytesLeft + BYTES_PER_INTERVAL, BYTES_PER_INTERVAL);
    const resumed = this.paused.splice(0, Math.ceil(Math.max(0, this.bytesLeft) / CHUNK_BYTES));
    for (const body of resumed) body.resume();
    if (this.paused.length > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}
