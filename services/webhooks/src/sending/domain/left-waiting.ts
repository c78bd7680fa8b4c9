// Webhooks that may have more due deliveries than the last claim returned. The end of a delivery triggers a claim only if another
// delivery may have waited for it. If a claim returned fewer deliveries than the endpoint was allowed, none is waiting.
import type { ClaimLimits } from './endpoint-slots.js';

interface Claimed {
  webhook_id: string;
  failing: boolean;
}

export class LeftWaiting {
  private webhooks = new Set<string>();
  /** Whether it may be anyone's. */
  private isAnyones = false;

  /** Before a claim within these limits; null when there is no room for any. */
  claiming(limits: ClaimLimits | null): void {
    if (limits === null || !limits.withFailing) this.isAnyones = true;
    for (const webhookId of limits?.full ?? []) this.webhooks.add(webhookId);
  }

  /** What the claim gave. */
  claimed({ full, free, slots, withFailing }: ClaimLimits, deliveries: readonly Claimed[]): void {
    this.isAnyones = !withFailing;
    this.webhooks = new Set(full);
    const counts = new Map<string, number>();
    for (const { webhook_id: webhookId, failing } of deliveries) {
      const count = (counts.get(webhookId) ?? 0) + 1;
      counts.set(webhookId, count);
      const allowed = free.get(webhookId) ?? (failing ? slots.failing : slots.first);
      if (count >= allowed) this.webhooks.add(webhookId);
    }
  }

  mayBeOf(webhookId: string): boolean {
    return this.isAnyones || this.webhooks.has(webhookId);
  }
}
