// Lists the events of webhooks, newest first.
import { decodeCursor, pageOf, type CallContext, type WebhooksInput, type WebhooksOutput } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { EventStore } from './event.store.js';
import { eventView } from './event.view.js';

const keyset = z.tuple([z.uuid()]);

@Injectable()
export class ListEvents {
  constructor(private readonly events: EventStore) {}

  async execute(input: WebhooksInput<'listEvents'>, { tenantId }: CallContext): Promise<WebhooksOutput<'listEvents'>> {
    const { event_type: type, limit, cursor } = input;
    const scope = `webhook-events:${tenantId}`;
    const before = cursor === undefined ? undefined : decodeCursor(scope, cursor, keyset)[0];
    const rows = await this.events.list({ tenantId, type, before, limit: limit + 1 });
    const page = pageOf(rows, { limit, scope, view: eventView, keyset: ({ id }) => [id] });
    return { events: page.items, next_cursor: page.next_cursor };
  }
}
