// A limited number of places that tenants share. A tenant may hold as many places as are free: one tenant gets half of all, two get
// a third each. However many tenants there are, some places stay free for the next one.

export type Refusal = 'tenant' | 'all';

export class SharedPlaces {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();

  constructor(private readonly placesMax: number) {}

  /** Null if a place was taken. Otherwise which limit was reached: the tenant's share, or the total. */
  take(tenantId: string): Refusal | null {
    const free = this.placesMax - this.taken;
    const own = this.takenBy.get(tenantId) ?? 0;
    if (free <= 0) return 'all';
    if (own >= free) return 'tenant';
    this.taken++;
    this.takenBy.set(tenantId, own + 1);
    return null;
  }

  /** Must be called once for each place taken. */
  release(tenantId: string): void {
    const left = (this.takenBy.get(tenantId) ?? 0) - 1;
    this.taken--;
    if (left > 0) this.takenBy.set(tenantId, left);
    else this.takenBy.delete(tenantId);
  }

  get takenCount(): number {
    return this.taken;
  }
}
