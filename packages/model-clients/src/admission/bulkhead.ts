// A bulkhead: so many requests to an engine at a time, and of one owner not all of them. The others wait.
import { TokenLedger } from './token-ledger.js';

export interface BulkheadOptions {
  /** The most concurrent requests. */
  concurrency: number;
  /** Milliseconds that only go up; replaced in tests. */
  now?: () => number;
}

/** A request could not begin in time. It may begin after `afterMs`. */
export class NoRoomError extends Error {
  constructor(readonly afterMs: number) {
    super('no room within the time');
  }
}

/** When a slot will be free is unknown: requests retry after this time. */
const UNKNOWN_WAIT_MS = 2_000;

/** For whom a request is made. Owners share the slots of an engine. */
export interface Asker {
  owner: string;
  /** The most tokens that the request may use. They count as used until its end says how many it did use. */
  tokens: number;
}

interface Waiter {
  asker: Asker | null;
  letIn: () => void;
}

export class Bulkhead {
  private readonly concurrency: number;
  private readonly waiting = new Set<Waiter>();
  private readonly heldBy = new Map<string, number>();
  private readonly ledger: TokenLedger;
  private underWay = 0;

  constructor({ concurrency, now = () => performance.now() }: BulkheadOptions) {
    this.concurrency = concurrency;
    this.ledger = new TokenLedger({ now });
  }

  get inUse(): number {
    return this.underWay;
  }

  /**
   * Takes a slot for one request. Call the returned function when the request is over, with the tokens that it used if they are known. Throws
   * NoRoomError if no slot is free within `patienceMs`, or the signal's reason.
   *
   * An owner may hold half of the slots that others leave, and always one. So the long requests of one owner leave slots for the others. A
   * free slot goes to the waiting owner that has used the fewest tokens lately.
   */
  async enter(patienceMs: number, signal: AbortSignal, asker: Asker | null = null): Promise<(tokens?: number) => void> {
    signal.throwIfAborted();
    await this.takeSlot(patienceMs, signal, asker);
    let isOver = false;
    return (tokens) => {
      if (!isOver) this.leave(asker, tokens);
      isOver = true;
    };
  }

  private async takeSlot(patienceMs: number, signal: AbortSignal, asker: Asker | null): Promise<void> {
    if (this.hasSlotFor(asker)) {
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

  private hasSlotFor(asker: Asker | null): boolean {
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

  /** The slot passes directly to a waiting request, so that no new request takes it. */
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
      if (used >= fewest || !this.hasSlotFor(waiter.asker)) continue;
      [next, fewest] = [waiter, used];
    }
    return next;
  }
}
