// A limited number of places for which tenants queue. A tenant may hold as many places as are free, as in `SharedPlaces`; what exceeds
// its share waits behind its own work. Freed places go to the waiting tenants round robin. Smaller work may start
// before larger work that does not fit. Once it has taken as many places in total as there are, nothing starts until the larger work fits.
import { shareOf, SharedPlaces } from './shared-places.js';

interface Waiting {
  weight: number;
  start: () => void;
  /** How many places others have taken while too few were left for this work. */
  passedBy: number;
}

/** The key of the process's own work, which belongs to no tenant and has no share. */
export const OWN_WORK = '';

export class FairPlaces {
  private readonly places: SharedPlaces;
  /** By share. The one that is served next comes first. */
  private readonly queues = new Map<string, Waiting[]>();

  constructor(private readonly placesMax: number) {
    this.places = new SharedPlaces(placesMax);
  }

  get waitingCount(): number {
    let count = 0;
    for (const queue of this.queues.values()) count += queue.length;
    return count;
  }

  waitingOf(tenantId: string): number {
    return this.queues.get(shareOf(tenantId))?.length ?? 0;
  }

  /** Whether work that waits could start if the tenant released its own places. */
  isHeldUpByItself(tenantId: string, weight: number): boolean {
    return !this.isRoomAwaited() && this.places.isHeldUpByItself(tenantId, weight);
  }

  /**
   * Calls `start` as soon as `weight` places are taken, which may be at once. `release` must follow. Returns a function that leaves the
   * queue, and is true unless `start` was called before.
   */
  request(tenantId: string, weight: number, start: () => void): () => boolean {
    const waiting: Waiting = { weight: Math.min(weight, this.placesMax), start, passedBy: 0 };
    const share = shareOf(tenantId);
    const queue = this.queues.get(share);
    if (!queue && !this.isRoomAwaited() && this.take(share, waiting.weight)) {
      start();
      return () => false;
    }
    if (queue) queue.push(waiting);
    else this.queues.set(share, [waiting]);
    return () => this.leave(share, waiting);
  }

  /**
   * Resolves once the places are taken; `release` must follow. If there are none at once, calls `whileWaiting` with a function that gives up
   * with an error. It returns what to call when the wait has ended.
   */
  enter(
    tenantId: string,
    weight: number,
    whileWaiting: (giveUp: (reason: unknown) => void) => () => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      let isPlaced = false;
      let endWait = () => {};
      const leave = this.request(tenantId, weight, () => {
        isPlaced = true;
        endWait();
        resolve();
      });
      if (isPlaced) return;
      endWait = whileWaiting((reason) => {
        if (!leave()) return;
        endWait();
        reject(reason);
      });
    });
  }

  /** Must be called once for each `start`, with the same tenant and weight. */
  release(tenantId: string, weight: number): void {
    this.places.release(tenantId, Math.min(weight, this.placesMax));
    while (this.startNext());
  }

  private take(share: string, weight: number): boolean {
    if (this.places.take(share, weight, share !== OWN_WORK) !== null) return false;
    for (const [other, [next]] of this.queues)
      if (next && other !== share && this.isHeldUpByOthers(other, next)) next.passedBy += weight;
    return true;
  }

  private isHeldUpByOthers(share: string, { weight }: Waiting): boolean {
    return !this.places.isHeldUpByItself(share, weight);
  }

  /** Whether some work has been passed too often, and still does not fit beside the work of others. */
  private isRoomAwaited(): boolean {
    for (const [share, [next]] of this.queues)
      if (next && next.passedBy >= this.placesMax && this.isHeldUpByOthers(share, next)) return true;
    return false;
  }

  /** Starts the first work that fits. Its share is served next after all others. */
  private startNext(): boolean {
    if (this.isRoomAwaited()) return false;
    for (const [share, queue] of this.queues) {
      const [next] = queue;
      if (!next || !this.take(share, next.weight)) continue;
      queue.shift();
      this.queues.delete(share);
      if (queue.length > 0) this.queues.set(share, queue);
      next.start();
      return true;
    }
    return false;
  }

  private leave(share: string, waiting: Waiting): boolean {
    const queue = this.queues.get(share) ?? [];
    const index = queue.indexOf(waiting);
    if (index < 0) return false;
    queue.splice(index, 1);
    if (queue.length === 0) this.queues.delete(share);
    // A smaller one may have waited behind it.
    while (this.startNext());
    return true;
  }
}
