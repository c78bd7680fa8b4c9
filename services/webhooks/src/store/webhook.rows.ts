// Rows of webhooks, and how they look in the contract. Sealed columns are opened elsewhere, by those who need them.
import { encodeId, formatTimestamp, type OperationOutput, type webhooksOperations } from '@kiln/contracts';

export type WebhookView = OperationOutput<(typeof webhooksOperations)['getWebhook']>;

export interface WebhookRow {
  tenant_id: string;
  id: string;
  organization_id: string;
  url: string;
  events: WebhookView['events'];
  description: string | null;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_expires_at: Date | null;
  headers: Buffer | null;
  header_names: string[];
  active: boolean;
  disabled_reason: WebhookView['disabled_reason'];
  failing_since: Date | null;
  last_error: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export const WEBHOOK_COLUMNS = `tenant_id, id, organization_id, url, events, description, secret, previous_secret,
  previous_secret_expires_at, headers, header_names, active, disabled_reason, failing_since, last_error, version,
  created_at, updated_at`;

export function webhookView(row: WebhookRow): WebhookView {
  return {
    id: encodeId('webhook', row.id),
    url: row.url,
    events: row.events,
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
