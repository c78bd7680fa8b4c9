/**
 * Slots that owners share. A free slot goes to the waiting owner with the fewest slots. If several have the same number, it goes
 * to the one that has waited longest.
 */
interface Waiter {
  owner: string;
  grant(): void;
}

export class FairSlots {
  private readonly held = new Map<string, number>();
  private readonly waiters = new Set<Waiter>();
  private taken = 0;

  constructor(private readonly total: number) {}

  get busy(): number {
    return this.taken;
  }

  get waiting(): number {
    return this.waiters.size;
  }

  /** Rejects with the signal's reason when it is aborted before a slot is free. */
  take(owner: string, signal: AbortSignal): Promise<void> {
    if (this.taken < this.total) {
      this.taken++;
      this.count(owner, 1);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiters.delete(waiter);
        signal.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        owner,
        grant: () => {
          leave();
          this.count(owner, 1);
          resolve();
        },
      };
      const onAbort = (): void => {
        leave();
        reject(signal.reason as Error);
      };
      this.waiters.add(waiter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Gives the slot to a waiting owner directly, so that no new request can take it. */
  free(owner: string): void {
    this.count(owner, -1);
    const next = this.nextWaiter();
    if (next === null) this.taken--;
    else next.grant();
  }

  private nextWaiter(): Waiter | null {
    let next: Waiter | null = null;
    for (const waiter of this.waiters) {
      if (next === null || this.heldBy(waiter.owner) < this.heldBy(next.owner)) next = waiter;
    }
    return next;
  }

  private heldBy(owner: string): number {
    return this.held.get(owner) ?? 0;
  }

  private count(owner: string, change: 1 | -1): void {
    const slots = this.heldBy(owner) + change;
    if (slots === 0) this.held.delete(owner);
    else this.held.set(owner, slots);
  }
}
