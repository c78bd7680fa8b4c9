// The limits of an engine: concurrent requests, requests per minute, and a pause that the engine requested.
import { pause } from '@kiln/resilience';

export interface LimitOptions {
  /** The most concurrent requests. */
  concurrency: number;
  /** The most requests per minute. Null: no limit. */
  requestsPerMinute?: number | null;
  /** Milliseconds that only go up; replaced in tests. */
  now?: () => number;
}

/** No slot became free in time. One may be free after `afterMs`. */
export class NoRoomError extends Error {
  constructor(readonly afterMs: number) {
    super('no room within the time');
  }
}

/** Waiting requests retry after this time, when the wait is not known. */
const UNKNOWN_WAIT_MS = 2_000;

interface Waiter {
  letIn: () => void;
}

export class EngineLimits {
  private readonly concurrency: number;
  private readonly spacingMs: number;
  private readonly now: () => number;
  private readonly waiting = new Set<Waiter>();
  private underWay = 0;
  /** When the next request may begin: each one takes its share of the minute. */
  private nextAt = -Infinity;
  private pausedUntil = -Infinity;

  constructor({ concurrency, requestsPerMinute = null, now = () => performance.now() }: LimitOptions) {
    this.concurrency = concurrency;
    this.spacingMs = requestsPerMinute === null ? 0 : 60_000 / requestsPerMinute;
    this.now = now;
  }

  get inUse(): number {
    return this.underWay;
  }

  /** No request begins for this long. */
  pause(milliseconds: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.now() + milliseconds);
  }

  /**
   * Room for one request; call what it answers when the request is over. Throws NoRoomError when there is none within
   * `patienceMs`, or the signal's reason.
   */
  async enter(patienceMs: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const until = this.now() + patienceMs;
    const pauseMs = this.pausedUntil - this.now();
    if (pauseMs > patienceMs) throw new NoRoomError(pauseMs);
    await this.takeSlot(patienceMs, signal);
    try {
      await this.awaitSpacing(until, signal);
    } catch (error) {
      this.leave();
      throw error;
    }
    let isOver = false;
    return () => {
      if (!isOver) this.leave();
      isOver = true;
    };
  }

  private async takeSlot(patienceMs: number, signal: AbortSignal): Promise<void> {
    if (this.underWay < this.concurrency) {
      this.underWay++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const end = (finish: () => void) => {
        this.waiting.delete(waiter);
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        finish();
      };
      const onAbort = () => end(() => reject(signal.reason as Error));
      const timer = setTimeout(() => end(() => reject(new NoRoomError(UNKNOWN_WAIT_MS))), patienceMs);
      const waiter: Waiter = { letIn: () => end(resolve) };
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.add(waiter);
    });
  }

  /** The slot passes directly to the request that has waited longest, so that no new request takes it. */
  private leave(): void {
    const [first] = this.waiting;
    if (first) first.letIn();
    else this.underWay--;
  }

  private async awaitSpacing(until: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      const at = Math.max(this.pausedUntil, this.nextAt);
      const now = this.now();
      if (at <= now) {
        this.nextAt = Math.max(now, this.nextAt) + this.spacingMs;
        return;
      }
      if (at > until) throw new NoRoomError(at - now);
      await pause(at - now, signal);
    }
  }
}
