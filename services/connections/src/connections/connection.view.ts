import { encodeId, formatTimestamp, type ConnectionsOutput } from '@kiln/contracts';
import type { ConnectionEntity } from './connection.entity.js';
import type { InventoryPlace } from '../external-buckets/domain/inventory-manifest.js';
import type { ObjectRules } from './object-rules.domain.js';

type ConnectionView = ConnectionsOutput<'getConnection'>;

function rulesView({ modified_after: after, ...rules }: ObjectRules) {
  const {
    include = [],
    exclude = [],
    min_size = null,
    max_size = null,
    content_types = [],
    storage_classes = [],
  } = rules;
  const modified_after = after == null ? null : formatTimestamp(new Date(after));
  return { include, exclude, min_size, max_size, modified_after, content_types, storage_classes };
}

function notificationsView(row: ConnectionEntity): ConnectionView['notifications'] {
  const { notification_type: type, notification_queue: queue, notification_error_code: code } = row;
  const { notification_error: message, notification_received_at: receivedAt } = row;
  if (type === null || queue === null) return null;
  return {
    type,
    queue,
    status: code === null ? 'active' : 'failing',
    error: code === null ? null : { code, message: message ?? '' },
    last_received_at: receivedAt === null ? null : formatTimestamp(receivedAt),
  };
}

const inventoryView = (
  { bucket, prefix, maxAgeHours }: InventoryPlace,
  ofConnection: string,
): ConnectionView['inventory'] => ({ bucket: bucket ?? ofConnection, prefix, max_age_hours: maxAgeHours });

/** A connection as the API shows it, without the credentials. */
export function connectionView(row: ConnectionEntity): ConnectionView {
  return {
    id: encodeId('connection', row.id),
    provider: row.provider,
    name: row.name,
    bucket: row.bucket,
    region: row.region,
    prefix: row.prefix === '' ? null : row.prefix,
    listing_order: row.listing_order,
    on_delete: row.on_delete,
    space: row.space,
    auto_process: row.auto_process,
    on_change: row.on_change,
    ...rulesView(row.rules),
    sync_interval_minutes: row.sync_interval_minutes,
    paused: row.paused,
    next_sync_at: row.next_sync_at === null || row.paused ? null : formatTimestamp(row.next_sync_at),
    notifications: notificationsView(row),
    inventory: row.inventory && inventoryView(row.inventory, row.bucket),
    auth_type: row.auth_type,
    status: row.status,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error ?? '' },
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
  };
}
