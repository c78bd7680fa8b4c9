// Reserves the sandboxes of a worker. A job is claimed only when a slot is free, and its run holds the slot until it no longer needs a
// sandbox. So a document waits for its sandbox in the queue, which is fair to tenants, and its job stays `queued`.
export interface SandboxSlot {
  /** Idempotent. */
  leave(): void;
}

export class SandboxSlots {
  private readonly held = new Map<SandboxSlot, string>();

  constructor(
    private readonly total: () => number,
    private readonly onFree: () => void,
  ) {}

  get free(): number {
    return Math.max(0, this.total() - this.held.size);
  }

  /** Tenants that hold all slots but one. They get the last slot only when no other tenant waits. */
  get lastTenants(): string[] {
    const counts = new Map<string, number>();
    for (const tenantId of this.held.values()) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= this.total() - 1).map(([tenantId]) => tenantId);
  }

  take(tenantId: string): SandboxSlot {
    const slot: SandboxSlot = {
      leave: () => {
        if (this.held.delete(slot)) this.onFree();
      },
    };
    this.held.set(slot, tenantId);
    return slot;
  }
}
