// A limited number of places that tenants share. A place is a call or a byte; what takes several has a weight. A tenant may hold as
// many places as are free: one tenant gets half of all, two get a third each. However many tenants there are, some places stay free
// for the next one. The live and the test tenant of an organization count as one.
import { CodedError, findMode, liveTenantOf, unavailable } from '@kiln/contracts';

export type Refusal = 'tenant' | 'all';

/** The key of a tenant's share. What is not the id of a tenant is a key of its own. */
export const shareOf = (tenantId: string): string =>
  findMode(tenantId) === 'test' ? liveTenantOf(tenantId) : tenantId;

export class SharedPlaces {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();

  constructor(private readonly placesMax: number) {}

  /** Null if the places were taken. Otherwise which limit was reached: the tenant's share, unless it has none, or the total. */
  take(tenantId: string, weight = 1, hasShare = true): Refusal | null {
    const free = this.placesMax - this.taken;
    const share = shareOf(tenantId);
    const own = hasShare ? (this.takenBy.get(share) ?? 0) : 0;
    if (free < (own === 0 ? weight : 1)) return 'all';
    if (own + weight > free) return 'tenant';
    this.taken += weight;
    if (hasShare) this.takenBy.set(share, own + weight);
    return null;
  }

  /** Whether places that were refused would be free if the tenant released its own. */
  isHeldUpByItself(tenantId: string, weight = 1): boolean {
    return weight <= this.placesMax - this.taken + (this.takenBy.get(shareOf(tenantId)) ?? 0);
  }

  /** Must be called once for each time that places were taken, with the same weight. */
  release(tenantId: string, weight = 1): void {
    const share = shareOf(tenantId);
    const left = (this.takenBy.get(share) ?? 0) - weight;
    this.taken -= weight;
    if (left > 0) this.takenBy.set(share, left);
    else this.takenBy.delete(share);
  }

  get takenCount(): number {
    return this.taken;
  }
}

/** Takes places for a call of the service. Throws UNAVAILABLE or RATE_LIMITED. */
export function takePlaces(places: SharedPlaces, service: string, tenantId: string, weight = 1): void {
  const refusal = places.take(tenantId, weight);
  if (refusal === 'all') throw unavailable(`The ${service} service`, new Error('too many calls'));
  if (refusal === null) return;
  const message = 'Too many of your requests are running. Retry when some of them have ended.';
  throw new CodedError('RATE_LIMITED', message, { retryAfterSeconds: 1 });
}
