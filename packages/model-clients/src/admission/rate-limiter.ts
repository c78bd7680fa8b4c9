// A rate limiter: spaces the requests to an engine evenly over each minute, and pauses them when the engine asks for it.
import { pause } from '@kiln/resilience';
import { NoRoomError } from './bulkhead.js';

export interface RateLimiterOptions {
  /** The most requests per minute. Null: no limit. */
  requestsPerMinute?: number | null;
  /** Milliseconds that only go up; replaced in tests. */
  now?: () => number;
}

export class RateLimiter {
  private readonly spacingMs: number;
  private readonly now: () => number;
  /** When the next request may begin: each one takes its share of the minute. */
  private nextAt = -Infinity;
  private pausedUntil = -Infinity;

  constructor({ requestsPerMinute = null, now = () => performance.now() }: RateLimiterOptions) {
    this.spacingMs = requestsPerMinute === null ? 0 : 60_000 / requestsPerMinute;
    this.now = now;
  }

  /** No request begins for this long. */
  pause(milliseconds: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.now() + milliseconds);
  }

  /** Returns the latest time at which a request may begin that waits for `patienceMs`. Throws NoRoomError if the engine is paused for longer. */
  deadline(patienceMs: number): number {
    const pauseMs = this.pausedUntil - this.now();
    if (pauseMs > patienceMs) throw new NoRoomError(pauseMs);
    return this.now() + patienceMs;
  }

  /** Waits until the next request may begin. Throws NoRoomError if that is after the deadline, or the signal's reason. */
  async enter(deadline: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      const at = Math.max(this.pausedUntil, this.nextAt);
      const now = this.now();
      if (at <= now) {
        this.nextAt = Math.max(now, this.nextAt) + this.spacingMs;
        return;
      }
      if (at > deadline) throw new NoRoomError(at - now);
      await pause(at - now, signal);
    }
  }
}
