// One event becomes one row and one delivery for each webhook that wants it, in the transaction of the inbox: exactly one, however
// often the broker delivers it. A webhook that is switched off gets the row alone, so that what it missed can be replayed.
import { uuidOf, webhooksEvents, type CloudEvent, type EventData } from '@kiln/contracts';
import type { EventContext, EventsContext, WakeUp } from '@kiln/platform';
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

  /** Events of one type. Most are of tenants without webhooks: all of those together cost one look-up and nothing else. */
  async execute(type: string, events: CloudEvent[], { once }: EventsContext): Promise<void> {
    const tenantIds = [...new Set(events.map(({ tenantid }) => tenantid))];
    const subscribers = await this.webhooks.subscribed(tenantIds, type);
    const listeners = (event: CloudEvent) =>
      (subscribers.get(event.tenantid) ?? []).filter(({ id }) => id !== aboutWebhook(event));
    const wanted = events.filter((event) => listeners(event).length > 0);
    if (wanted.length === 0) return;
    await once(wanted, async (fresh, context) => {
      for (const event of fresh) await this.record(event, listeners(event), context);
    });
  }

  private async record(
    event: CloudEvent,
    subscribers: Subscriber[],
    { transaction, afterCommit }: EventContext,
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
