// Reads an event of a webhook with its payload, or lists the events of all webhooks, newest first.
import {
  decodeCursor,
  notFound,
  pageOf,
  uuidOf,
  type CallContext,
  type WebhooksInput,
  type WebhooksOutput,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { KnownWebhooks } from '../webhooks/known-webhooks.service.js';
import { rowIdOf } from './event-row-id.domain.js';
import { EventStore } from './event.store.js';
import { eventView } from './event.view.js';

const keyset = z.tuple([z.uuid()]);

@Injectable()
export class ReadEvents {
  constructor(
    private readonly webhooks: KnownWebhooks,
    private readonly events: EventStore,
  ) {}

  async get(input: WebhooksInput<'getEvent'>, { tenantId }: CallContext): Promise<WebhooksOutput<'getEvent'>> {
    const { id: webhookId } = await this.webhooks.get(tenantId, input.id);
    const eventId = uuidOf('event', input.event_id);
    const row = await this.events.find(tenantId, webhookId, [rowIdOf(eventId, webhookId), eventId]);
    if (!row) throw notFound('No event of this webhook has this id.');
    return { ...eventView(row), payload: JSON.parse(row.payload) as Record<string, unknown> };
  }

  async list(input: WebhooksInput<'listEvents'>, { tenantId }: CallContext): Promise<WebhooksOutput<'listEvents'>> {
    const { event_type: type, limit, cursor } = input;
    const scope = `webhook-events:${tenantId}`;
    const before = cursor === undefined ? undefined : decodeCursor(scope, cursor, keyset)[0];
    const rows = await this.events.list({ tenantId, type, before, limit: limit + 1 });
    const page = pageOf(rows, { limit, scope, view: eventView, keyset: ({ id }) => [id] });
    return { events: page.items, next_cursor: page.next_cursor };
  }
}
