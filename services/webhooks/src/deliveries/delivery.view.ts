// Maps deliveries and their attempts to the contract.
import { encodeId, formatTimestamp, type WebhooksOutput } from '@kiln/contracts';
import { eventIdOfRow } from '../events/event-row-id.domain.js';
import type { DeliveryAttemptEntity } from './delivery-attempt.entity.js';

export type DeliveryView = WebhooksOutput<'testWebhook'>;
type AttemptView = WebhooksOutput<'getDelivery'>['attempts'][number];

type LastAttempt = Pick<DeliveryAttemptEntity, 'status_code' | 'duration_ms' | 'error' | 'response_body'>;

/** A delivery, queued or finished, with its last attempt. */
export interface DeliveryRow extends LastAttempt {
  tenant_id: string;
  webhook_id: string;
  id: string;
  event_id: string;
  event_type: DeliveryView['event_type'];
  status: DeliveryView['status'];
  attempt: number;
  /** Null before the first attempt. */
  attempted_at: Date | null;
  /** The time of the next attempt. Null for a finished delivery. */
  due_at: Date | null;
  created_at: Date;
}

const timestamp = (date: Date | null) => (date === null ? null : formatTimestamp(date));

export function deliveryView(row: DeliveryRow): DeliveryView {
  return {
    id: encodeId('delivery', row.id),
    event_id: encodeId('event', eventIdOfRow(row.event_id, row.webhook_id)),
    event_type: row.event_type,
    status: row.status,
    attempt: row.attempt,
    status_code: row.status_code,
    attempted_at: timestamp(row.attempted_at),
    duration_ms: row.duration_ms,
    error: row.error,
    response_body: row.response_body,
    next_attempt_at: timestamp(row.due_at),
    created_at: formatTimestamp(row.created_at),
  };
}

export function attemptView(row: DeliveryAttemptEntity): AttemptView {
  return {
    attempt: row.attempt,
    attempted_at: formatTimestamp(row.attempted_at),
    status_code: row.status_code,
    duration_ms: row.duration_ms,
    error: row.error,
    response_body: row.response_body,
  };
}
