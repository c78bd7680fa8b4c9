// One event becomes one row and one delivery for each webhook that wants it, in the transaction of the inbox: exactly one, however
// often the broker delivers it. A webhook that is switched off gets the row alone, so that what it missed can be replayed.
import { uuidOf, webhooksEvents, type CloudEvent, type EventData } from '@kiln/contracts';
import type { CommitContext, WakeUp } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { payloadOf, publicEventOf } from '../domain/payload.js';
import type { EndpointQueueStore } from '../store/endpoint-queue.store.js';
import type { EventStore } from '../store/event.store.js';
import type { Subscriber, WebhookStore } from '../store/webhook.store.js';
import { WEBHOOKS_WAKE_UP } from './wake-up.js';

type Disabled = EventData<typeof webhooksEvents.webhookDisabled>;

export class FanOut {
  constructor(
    private readonly webhooks: WebhookStore,
    private readonly events: EventStore,
    private readonly endpoints: EndpointQueueStore,
    private readonly wakeUp: WakeUp,
  ) {}

  /** Events that came together: most are of tenants without webhooks, and cost one look-up for all of a type. */
  async execute(events: CloudEvent[], context: CommitContext): Promise<void> {
    const found = new Map<string, Subscriber[]>();
    for (const event of events) {
      const { tenantid: tenantId, type } = event;
      const key = `${tenantId} ${type}`;
      const subscribers = found.get(key) ?? (await this.webhooks.subscribed(context.transaction, tenantId, type));
      found.set(key, subscribers);
      const others = subscribers.filter(({ id }) => id !== aboutWebhook(event));
      if (others.length > 0) await this.record(event, others, context);
    }
  }

  private async record(
    event: CloudEvent,
    subscribers: Subscriber[],
    { transaction, afterCommit }: CommitContext,
  ): Promise<void> {
    const tenantId = event.tenantid;
    const publicEvent = publicEventOf(event);
    const targets = subscribers.map(({ id, organization_id, active }) => {
      const eventId = uuidv7();
      const payload = payloadOf(eventId, organization_id, publicEvent);
      return { webhookId: id, eventId, payload, deliveryId: active ? uuidv7() : null };
    });
    const { type, createdAt } = publicEvent;
    await this.events.record(transaction, { tenantId, type, createdAt, targets });
    const active = subscribers.filter((subscriber: Subscriber) => subscriber.active);
    if (active.length === 0) return;
    await this.endpoints.join(transaction, tenantId, active);
    afterCommit(() => this.wakeUp.send(WEBHOOKS_WAKE_UP));
  }
}

/** A webhook is not told of its own end. */
function aboutWebhook({ type, data }: CloudEvent): string | null {
  if (type !== webhooksEvents.webhookDisabled.type) return null;
  return uuidOf('webhook', (data as Disabled).webhook_id);
}
