// Rows of deliveries, queued or settled, with the last attempt that the log holds; and how they look in the contract.
import { encodeId, formatTimestamp, type OperationOutput, type webhooksOperations } from '@kiln/contracts';

type Operations = typeof webhooksOperations;
export type DeliveryView = OperationOutput<Operations['testWebhook']>;
type AttemptView = OperationOutput<Operations['getDelivery']>['attempts'][number];

export interface AttemptRow {
  /** Null, as all that follow, while nothing is logged. */
  logged_attempt: number | null;
  attempted_at: Date | null;
  status_code: number | null;
  duration_ms: number | null;
  error: string | null;
  response_body: string | null;
}

export interface DeliveryRow extends AttemptRow {
  tenant_id: string;
  webhook_id: string;
  id: string;
  event_id: string;
  event_type: DeliveryView['event_type'];
  status: DeliveryView['status'];
  attempt: number;
  /** Of a queued one. */
  due_at: Date | null;
  created_at: Date;
}

const timestamp = (date: Date | null) => (date === null ? null : formatTimestamp(date));

export function deliveryView(row: DeliveryRow): DeliveryView {
  return {
    id: encodeId('delivery', row.id),
    event_id: encodeId('event', row.event_id),
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

/** Of an attempt that is logged. */
export function attemptView(row: AttemptRow): AttemptView {
  return {
    attempt: row.logged_attempt ?? 0,
    attempted_at: timestamp(row.attempted_at) ?? '',
    status_code: row.status_code,
    duration_ms: row.duration_ms,
    error: row.error,
    response_body: row.response_body,
  };
}
