// The limits of an engine: concurrent requests, requests per minute, and a pause that the engine requested.
import { pause } from '@kiln/resilience';
import { TokenLedger } from './token-ledger.js';

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

/** For whom a request is made. Owners share the places of an engine. */
export interface Asker {
  owner: string;
  /** The most tokens that the request may use. They count as used until its end says how many it did use. */
  tokens: number;
}

interface Waiter {
  asker: Asker | null;
  letIn: () => void;
}

export class EngineLimits {
  private readonly concurrency: number;
  private readonly spacingMs: number;
  private readonly now: () => number;
  private readonly waiting = new Set<Waiter>();
  private readonly heldBy = new Map<string, number>();
  private readonly ledger: TokenLedger;
  private underWay = 0;
  /** When the next request may begin: each one takes its share of the minute. */
  private nextAt = -Infinity;
  private pausedUntil = -Infinity;

  constructor({ concurrency, requestsPerMinute = null, now = () => performance.now() }: LimitOptions) {
    this.concurrency = concurrency;
    this.spacingMs = requestsPerMinute === null ? 0 : 60_000 / requestsPerMinute;
    this.now = now;
    this.ledger = new TokenLedger({ now });
  }

  get inUse(): number {
    return this.underWay;
  }

  /** No request begins for this long. */
  pause(milliseconds: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.now() + milliseconds);
  }

  /**
   * Room for one request; call what it answers when the request is over, with the tokens that it used if they are known. Throws
   * NoRoomError when there is none within `patienceMs`, or the signal's reason.
   *
   * An owner may hold half of the places that others leave, and always one. So the places of long requests do not run out for others. A
   * free place goes to the waiting owner that has used the fewest tokens lately.
   */
  async enter(patienceMs: number, signal: AbortSignal, asker: Asker | null = null): Promise<(tokens?: number) => void> {
    signal.throwIfAborted();
    const until = this.now() + patienceMs;
    const pauseMs = this.pausedUntil - this.now();
    if (pauseMs > patienceMs) throw new NoRoomError(pauseMs);
    await this.takeSlot(patienceMs, signal, asker);
    try {
      await this.awaitSpacing(until, signal);
    } catch (error) {
      this.leave(asker, 0);
      throw error;
    }
    let isOver = false;
    return (tokens) => {
      if (!isOver) this.leave(asker, tokens);
      isOver = true;
    };
  }

  private async takeSlot(patienceMs: number, signal: AbortSignal, asker: Asker | null): Promise<void> {
    if (this.hasPlaceFor(asker)) {
      this.occupy(asker);
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
      const waiter: Waiter = { asker, letIn: () => end(resolve) };
      signal.addEventListener('abort', onAbort, { once: true });
      this.waiting.add(waiter);
    });
  }

  private hasPlaceFor(asker: Asker | null): boolean {
    if (this.underWay >= this.concurrency) return false;
    const own = asker ? (this.heldBy.get(asker.owner) ?? 0) : 0;
    return own === 0 || own < (this.concurrency - (this.underWay - own)) / 2;
  }

  private occupy(asker: Asker | null): void {
    this.underWay++;
    if (!asker) return;
    this.heldBy.set(asker.owner, (this.heldBy.get(asker.owner) ?? 0) + 1);
    this.ledger.add(asker.owner, asker.tokens);
  }

  /** The place passes directly to a waiting request, so that no new request takes it. */
  private leave(asker: Asker | null, tokens: number | undefined): void {
    this.underWay--;
    if (asker) {
      const left = (this.heldBy.get(asker.owner) ?? 0) - 1;
      if (left > 0) this.heldBy.set(asker.owner, left);
      else this.heldBy.delete(asker.owner);
      if (tokens !== undefined) this.ledger.add(asker.owner, tokens - asker.tokens);
    }
    for (let next = this.nextWaiter(); next; next = this.nextWaiter()) {
      this.occupy(next.asker);
      next.letIn();
    }
  }

  /** Of those that have used equally few tokens, the one that has waited longest. */
  private nextWaiter(): Waiter | null {
    let next: Waiter | null = null;
    let fewest = Infinity;
    for (const waiter of this.waiting) {
      const used = waiter.asker ? this.ledger.usedBy(waiter.asker.owner) : 0;
      if (used >= fewest || !this.hasPlaceFor(waiter.asker)) continue;
      [next, fewest] = [waiter, used];
    }
    return next;
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
