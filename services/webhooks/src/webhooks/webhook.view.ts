// Maps a webhook to the contract. Sealed columns are not included.
import { encodeId, formatTimestamp, type WebhooksOutput } from '@kiln/contracts';
import type { WebhookEntity } from './webhook.entity.js';

export type WebhookView = WebhooksOutput<'getWebhook'>;

export function webhookView(row: WebhookEntity): WebhookView {
  return {
    id: encodeId('webhook', row.id),
    url: row.url,
    events: row.events,
    spaces: row.spaces,
    active: row.active,
    description: row.description,
    header_names: row.header_names,
    failing_since: row.failing_since === null ? null : formatTimestamp(row.failing_since),
    last_error: row.last_error,
    disabled_reason: row.disabled_reason,
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
  };
}
