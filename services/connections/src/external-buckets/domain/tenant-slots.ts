// Limits how many calls of one tenant wait at the same time. Each tenant has its own slots.

export class TenantSlots {
  private readonly taken = new Map<string, number>();

  constructor(private readonly slotsMax: number) {}

  /** Returns false when all slots are taken. */
  take(tenantId: string): boolean {
    const taken = this.taken.get(tenantId) ?? 0;
    if (taken >= this.slotsMax) return false;
    this.taken.set(tenantId, taken + 1);
    return true;
  }

  release(tenantId: string): void {
    const left = (this.taken.get(tenantId) ?? 0) - 1;
    if (left > 0) this.taken.set(tenantId, left);
    else this.taken.delete(tenantId);
  }
}
