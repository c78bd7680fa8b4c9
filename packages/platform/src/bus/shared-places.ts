// A number of places that tenants share. A tenant may hold as many as are free: one tenant gets half of all, two get a third
// each, and however many they are, some places stay free for the next one.

export type Refusal = 'tenant' | 'all';

export class SharedPlaces {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();

  constructor(private readonly placesMax: number) {}

  /** Null when the place was taken; else whether the tenant holds too many, or all tenants together do. */
  take(tenantId: string): Refusal | null {
    const free = this.placesMax - this.taken;
    const own = this.takenBy.get(tenantId) ?? 0;
    if (free <= 0) return 'all';
    if (own >= free) return 'tenant';
    this.taken++;
    this.takenBy.set(tenantId, own + 1);
    return null;
  }

  /** To be called once for each place taken. */
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
