// Places that tenants share, with a queue for each tenant. A request that finds none waits for a while. Tenants are served in
// round robin.
import type { CodedError } from '@kiln/contracts';
import { SharedPlaces } from '@kiln/platform';

const WAIT_MS = 10_000;
/** The number of requests of one tenant that may wait. */
const WAITING_MAX = 200;

export interface WantedPlaces {
  tenantId: string;
  places: number;
  /** Aborts when the caller leaves. */
  left: () => AbortSignal;
}

interface Waiting {
  places: number;
  begin: () => void;
}

export class TenantQueue {
  private readonly shared: SharedPlaces;
  private readonly waiting = new Map<string, Waiting[]>();

  /** `refused` receives why there was no place in time: the tenant holds it itself, or others do. */
  constructor(
    placesMax: number,
    private readonly refused: (by: 'tenant' | 'others') => CodedError,
  ) {
    this.shared = new SharedPlaces(placesMax);
  }

  /** Throws the error of `refused` when there is no place for 10 s. If the caller leaves, throws the reason of `left`. */
  async take({ tenantId, places, left }: WantedPlaces): Promise<HeldPlaces> {
    if (places > 0) await this.place(tenantId, places, left);
    return new HeldPlaces(places, (count) => {
      this.shared.release(tenantId, count);
      this.beginWaiting();
    });
  }

  private async place(tenantId: string, places: number, left: () => AbortSignal): Promise<void> {
    const queue = this.waiting.get(tenantId) ?? [];
    if (queue.length === 0 && this.shared.take(tenantId, places) === null) return;
    if (queue.length >= WAITING_MAX) throw this.refused('tenant');
    const signal = left();
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const waiting = { places, begin: () => end(resolve) };
      const end = (then: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        this.remove(tenantId, waiting);
        then();
      };
      const leave = (): void => end(() => reject(signal.reason as Error));
      const giveUp = (): void =>
        end(() => reject(this.refused(this.shared.isHeldUpByItself(tenantId, places) ? 'tenant' : 'others')));
      const timer = setTimeout(giveUp, WAIT_MS);
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.set(tenantId, [...queue, waiting]);
    });
  }

  /** Serves the first request of each tenant, until no more fit. A tenant whose request begins goes to the end of the map. */
  private beginWaiting(): void {
    for (const [tenantId, [first]] of this.waiting) {
      if (first && this.shared.take(tenantId, first.places) === null) first.begin();
    }
  }

  private remove(tenantId: string, waiting: Waiting): void {
    const rest = (this.waiting.get(tenantId) ?? []).filter((other) => other !== waiting);
    this.waiting.delete(tenantId);
    if (rest.length > 0) this.waiting.set(tenantId, rest);
  }
}

/** The holder must release its places. A second release does nothing. */
export class HeldPlaces {
  constructor(
    private count: number,
    private readonly giveBack: (count: number) => void,
  ) {}

  release(): void {
    this.shrinkTo(0);
  }

  /** Releases the places beyond `count`. */
  shrinkTo(count: number): void {
    const unused = this.count - count;
    if (unused <= 0) return;
    this.count = count;
    this.giveBack(unused);
  }
}
