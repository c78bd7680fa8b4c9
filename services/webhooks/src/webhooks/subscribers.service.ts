// A TTL cache of the tenants' webhooks for the fan-out: one second. A change clears it in every process by a
// message that is sent before the change is acknowledged. If the message is lost, events of up to one second miss the change.
import { Inject, Injectable, Optional } from '@nestjs/common';
import { WebhookStore, type Subscriber } from './webhook.store.js';

const TIME_TO_LIVE_MS = 1_000;
/** Injection token: another time to live, in milliseconds. */
export const SUBSCRIBERS_TIME_TO_LIVE = Symbol('subscribers time to live');

type Read = Promise<ReadonlyMap<string, readonly Subscriber[]>>;

@Injectable()
export class Subscribers {
  /** The read that has the webhooks of each tenant. A change discards all reads that began before it. */
  private reads = new Map<string, Read>();
  private endsAt = 0;

  constructor(
    @Inject(WebhookStore) private readonly webhooks: Pick<WebhookStore, 'subscribed'>,
    @Optional() @Inject(SUBSCRIBERS_TIME_TO_LIVE) private readonly timeToLiveMs = TIME_TO_LIVE_MS,
  ) {}

  /** Returns the webhooks of each of these tenants. */
  async of(tenantIds: ReadonlySet<string>): Promise<(tenantId: string) => readonly Subscriber[]> {
    const reads = this.current();
    const unknown = [...tenantIds].filter((tenantId) => !reads.has(tenantId));
    if (unknown.length > 0) {
      const read = this.webhooks.subscribed(unknown);
      for (const tenantId of unknown) reads.set(tenantId, read);
      read.catch(() => unknown.forEach((tenantId) => reads.delete(tenantId)));
    }
    const found = new Map<string, readonly Subscriber[]>();
    for (const tenantId of tenantIds) found.set(tenantId, (await reads.get(tenantId))?.get(tenantId) ?? []);
    return (tenantId) => found.get(tenantId) ?? [];
  }

  forget(): void {
    this.reads = new Map();
  }

  private current(): Map<string, Read> {
    const now = performance.now();
    if (now >= this.endsAt) {
      this.forget();
      this.endsAt = now + this.timeToLiveMs;
    }
    return this.reads;
  }
}
