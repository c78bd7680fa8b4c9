// Records events: one row and one delivery for each subscribed webhook, in one statement. The id of the row is derived from event and
// webhook, so a redelivered event adds nothing. An inactive webhook gets only the row, so that it can replay the event later.
import {
  eventIdOf,
  payloadOf,
  publicEventOf,
  uuidOf,
  webhooksEvents,
  type CloudEvent,
  type EventData,
} from '@kiln/contracts';
import { WakeUp } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Subscribers } from '../webhooks/subscribers.service.js';
import { rowIdOf } from './event-row-id.domain.js';
import { EventStore, type NewEventRow } from './event.store.js';
import type { Subscriber } from '../webhooks/webhook.store.js';
import { WEBHOOKS_WAKE_UP } from '../wake-ups.events.js';

/** A tenant may have many webhooks, and a batch many events. A redelivery of the batch repeats the statements without effect. */
const ROWS_PER_STATEMENT_MAX = 5_000;

type Disabled = EventData<typeof webhooksEvents.webhookDisabled>;

@Injectable()
export class FanOut {
  constructor(
    private readonly subscribers: Subscribers,
    private readonly events: EventStore,
    private readonly wakeUp: WakeUp,
  ) {}

  /** Most events have no subscribed webhook. They cost only a look-up in memory. */
  async execute(events: readonly CloudEvent[]): Promise<void> {
    const subscribersOf = await this.subscribers.of(new Set(events.map(({ tenantid }) => tenantid)));
    // A repeated event counts once.
    const rows = [...new Map(events.map((event) => [event.id, event])).values()].flatMap((event) => {
      const wanting = subscribersOf(event.tenantid).filter((subscriber) => wants(subscriber, event));
      return wanting.length === 0 ? [] : rowsOf(event, wanting);
    });
    if (rows.length === 0) return;
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT_MAX) {
      await this.events.record(rows.slice(at, at + ROWS_PER_STATEMENT_MAX));
    }
    if (rows.some(({ deliveryId }) => deliveryId !== null)) this.wakeUp.send(WEBHOOKS_WAKE_UP);
  }
}

/** A webhook that was disabled does not receive the event about it. */
function wants({ id, events, spaces }: Subscriber, { type, data }: CloudEvent): boolean {
  if (!events.includes(type) && !events.includes('*')) return false;
  if (spaces !== null && !spaces.includes(spaceOf(data))) return false;
  return type !== webhooksEvents.webhookDisabled.type || id !== uuidOf('webhook', (data as Disabled).webhook_id);
}

/** Empty for an event that names no space. No space has this name. */
function spaceOf(data: unknown): string {
  const space = typeof data === 'object' && data !== null && 'space' in data ? data.space : '';
  return typeof space === 'string' ? space : '';
}

function rowsOf(event: CloudEvent, subscribers: readonly Subscriber[]): NewEventRow[] {
  const publicEvent = publicEventOf(event);
  const { type, createdAt } = publicEvent;
  const { traceparent, tenantid: tenantId } = event;
  const eventId = eventIdOf(event);
  const payloads = new Map<string, string>();
  return subscribers.map(({ id: webhookId, organization_id, active }) => {
    const payload = payloads.get(organization_id) ?? payloadOf(eventId, organization_id, publicEvent);
    payloads.set(organization_id, payload);
    const deliveryId = active ? uuidv7() : null;
    const rowId = rowIdOf(eventId, webhookId);
    return { tenantId, webhookId, eventId: rowId, type, createdAt, payload, deliveryId, traceparent };
  });
}
