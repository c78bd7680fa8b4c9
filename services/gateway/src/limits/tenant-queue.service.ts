// Places that tenants share, with a queue for each tenant. A request that finds none waits for a while. Tenants are served in
// round robin.
import type { CodedError } from '@kiln/contracts';
import { FairPlaces } from '@kiln/platform';

const WAIT_MS = 10_000;
/** The number of requests of one tenant that may wait. */
const WAITING_MAX = 200;

/** Who takes places. */
export interface PlaceOwner {
  tenantId: string;
  /** Aborts when the caller leaves. */
  left: () => AbortSignal;
}

export class TenantQueue {
  private readonly places: FairPlaces;

  /** `refused` receives why there was no place in time: the tenant holds it itself, or others do. */
  constructor(
    placesMax: number,
    private readonly refused: (by: 'tenant' | 'others') => CodedError,
  ) {
    this.places = new FairPlaces(placesMax);
  }

  /** Throws the error of `refused` when there is no place for 10 s. If the caller leaves, throws the reason of `left`. */
  async take({ tenantId, left }: PlaceOwner, places: number): Promise<HeldPlaces> {
    if (places > 0) await this.enter(tenantId, places, left);
    return new HeldPlaces(places, (count) => this.places.release(tenantId, count));
  }

  private async enter(tenantId: string, places: number, left: () => AbortSignal): Promise<void> {
    if (this.places.waitingOf(tenantId) >= WAITING_MAX) throw this.refused('tenant');
    await this.places.enter(tenantId, places, (giveUp) => {
      const signal = left();
      const leave = () => giveUp(signal.reason);
      if (signal.aborted) {
        leave();
        return () => {};
      }
      const isHeldUpByItself = () => this.places.isHeldUpByItself(tenantId, places);
      const timer = setTimeout(() => giveUp(this.refused(isHeldUpByItself() ? 'tenant' : 'others')), WAIT_MS);
      signal.addEventListener('abort', leave, { once: true });
      return () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
      };
    });
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
