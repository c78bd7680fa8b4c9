// Maps events to the contract.
import { encodeId, formatTimestamp, type WebhooksOutput } from '@kiln/contracts';
import { eventIdOfRow } from './event-row-id.domain.js';
import type { WebhookEventEntity } from './webhook-event.entity.js';

type EventView = WebhooksOutput<'listEvents'>['events'][number];

export interface EventRow extends Pick<WebhookEventEntity, 'id' | 'webhook_id' | 'type' | 'created_at'> {
  /** Whether a delivery of the event succeeded. */
  delivered: boolean;
}

export const eventView = (row: EventRow): EventView => ({
  id: encodeId('event', eventIdOfRow(row.id, row.webhook_id)),
  type: row.type,
  webhook_id: encodeId('webhook', row.webhook_id),
  delivered: row.delivered,
  created_at: formatTimestamp(row.created_at),
});
