// A limited number of places for which tenants queue. A tenant may hold as many places as are free, as in `SharedPlaces`; what exceeds
// its share waits behind its own work. Freed places go to the waiting tenants round robin.

interface Waiting {
  weight: number;
  start: () => void;
}

/** The key of the process's own work, which belongs to no tenant and has no share. */
export const OWN_WORK = '';

export class FairPlaces {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();
  /** The tenant that is served next comes first. */
  private readonly queues = new Map<string, Waiting[]>();

  constructor(private readonly placesMax: number) {}

  get waitingCount(): number {
    let count = 0;
    for (const queue of this.queues.values()) count += queue.length;
    return count;
  }

  /**
   * Calls `start` as soon as `weight` places are taken, which may be at once. `release` must follow. Returns a function that leaves the
   * queue, and is true unless `start` was called before.
   */
  request(tenantId: string, weight: number, start: () => void): () => boolean {
    const waiting: Waiting = { weight: Math.min(weight, this.placesMax), start };
    if (!this.queues.has(tenantId) && this.fits(tenantId, waiting.weight)) {
      this.take(tenantId, waiting.weight);
      start();
      return () => false;
    }
    const queue = this.queues.get(tenantId);
    if (queue) queue.push(waiting);
    else this.queues.set(tenantId, [waiting]);
    return () => this.leave(tenantId, waiting);
  }

  /** Must be called once for each `start`, with the same tenant and weight. */
  release(tenantId: string, weight: number): void {
    const places = Math.min(weight, this.placesMax);
    const left = (this.takenBy.get(tenantId) ?? 0) - places;
    this.taken -= places;
    if (left > 0) this.takenBy.set(tenantId, left);
    else this.takenBy.delete(tenantId);
    while (this.startNext());
  }

  private fits(tenantId: string, weight: number): boolean {
    const free = this.placesMax - this.taken;
    const own = this.takenBy.get(tenantId) ?? 0;
    if (tenantId === OWN_WORK || own === 0) return weight <= free;
    return own + weight <= free;
  }

  private take(tenantId: string, weight: number): void {
    this.taken += weight;
    this.takenBy.set(tenantId, (this.takenBy.get(tenantId) ?? 0) + weight);
  }

  /** Starts the first work that fits. Its tenant is served next after all others. */
  private startNext(): boolean {
    for (const [tenantId, queue] of this.queues) {
      const [next] = queue;
      if (!next || !this.fits(tenantId, next.weight)) continue;
      queue.shift();
      this.queues.delete(tenantId);
      if (queue.length > 0) this.queues.set(tenantId, queue);
      this.take(tenantId, next.weight);
      next.start();
      return true;
    }
    return false;
  }

  private leave(tenantId: string, waiting: Waiting): boolean {
    const queue = this.queues.get(tenantId) ?? [];
    const index = queue.indexOf(waiting);
    if (index < 0) return false;
    queue.splice(index, 1);
    if (queue.length === 0) this.queues.delete(tenantId);
    // A smaller one may have waited behind it.
    while (this.startNext());
    return true;
  }
}
