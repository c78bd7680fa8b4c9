// Limits the number of concurrent calls, for each tenant and in total.

export class TenantSlots {
  private readonly taken = new Map<string, number>();

  private takenByAll = 0;

  constructor(
    private readonly slotsMax: number,
    private readonly slotsOfAllMax = Infinity,
  ) {}

  /** Returns false when all slots are taken. */
  take(tenantId: string): boolean {
    const taken = this.taken.get(tenantId) ?? 0;
    if (taken >= this.slotsMax || this.takenByAll >= this.slotsOfAllMax) return false;
    this.takenByAll += 1;
    this.taken.set(tenantId, taken + 1);
    return true;
  }

  release(tenantId: string): void {
    this.takenByAll -= 1;
    const left = (this.taken.get(tenantId) ?? 0) - 1;
    if (left > 0) this.taken.set(tenantId, left);
    else this.taken.delete(tenantId);
  }
}
