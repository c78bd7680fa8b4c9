// Webhooks that may have more due deliveries than the last claim returned. The end of a delivery triggers a claim only if another
// delivery may have waited for it. If a claim returned fewer deliveries than the endpoint and its tenant were allowed, none is waiting.
import { fullTenants, type ClaimLimits } from './endpoint-slots.js';

interface Claimed {
  tenant_id: string;
  webhook_id: string;
  failing: boolean;
}

export class LeftWaiting {
  private webhooks = new Set<string>();
  private tenants = new Set<string>();
  /** Whether a delivery may wait at any webhook. */
  private isAnyones = false;

  /** Call it before a claim within these limits. Null means that no delivery may be claimed. */
  claiming(limits: ClaimLimits | null): void {
    if (limits === null || !limits.withFailing) this.isAnyones = true;
    for (const webhookId of limits?.full ?? []) this.webhooks.add(webhookId);
    for (const tenantId of limits === null ? [] : fullTenants(limits)) this.tenants.add(tenantId);
  }

  /** Call it with the deliveries of the claim. */
  claimed(limits: ClaimLimits, deliveries: readonly Claimed[]): void {
    const { full, free, slots, withFailing } = limits;
    this.isAnyones = !withFailing;
    this.webhooks = new Set(full);
    this.tenants = new Set(fullTenants(limits, deliveries));
    const counts = new Map<string, number>();
    for (const { webhook_id: webhookId, failing } of deliveries) {
      const count = (counts.get(webhookId) ?? 0) + 1;
      counts.set(webhookId, count);
      const allowed = free.get(webhookId) ?? (failing ? slots.failing : slots.first);
      if (count >= allowed) this.webhooks.add(webhookId);
    }
  }

  mayBeOf({ tenant_id, webhook_id }: Pick<Claimed, 'tenant_id' | 'webhook_id'>): boolean {
    return this.isAnyones || this.webhooks.has(webhook_id) || this.tenants.has(tenant_id);
  }
}
