// Events, one row for each webhook that wanted it.
import { encodeId, formatTimestamp, type OperationOutput, type webhooksOperations } from '@kiln/contracts';
import { statement, type Queryable, type Statement } from '@kiln/platform';

type EventView = OperationOutput<(typeof webhooksOperations)['listEvents']>['events'][number];

export interface EventRow {
  id: string;
  webhook_id: string;
  type: EventView['type'];
  created_at: Date;
  delivered: boolean;
}

export const eventView = (row: EventRow): EventView => ({
  id: encodeId('event', row.id),
  type: row.type,
  webhook_id: encodeId('webhook', row.webhook_id),
  delivered: row.delivered,
  created_at: formatTimestamp(row.created_at),
});

/** One event for several webhooks, and a delivery for each that is active. */
const record = statement(
  'events.record',
  `with target as (
     select * from unnest($4::uuid[], $5::uuid[], $6::text[], $7::uuid[]) as t (webhook_id, event_id, payload, delivery_id)
   ), recorded as (
     insert into webhook_events (tenant_id, id, webhook_id, type, created_at, payload)
     select $1, event_id, webhook_id, $2, $3, payload from target
   )
   insert into queued_deliveries (tenant_id, webhook_id, id, event_id, event_type)
   select $1, webhook_id, delivery_id, event_id, $2 from target where delivery_id is not null`,
);

const DELIVERED = `exists (select 1 from settled_deliveries s
  where s.tenant_id = e.tenant_id and s.event_id = e.id and s.status = 'delivered') as delivered`;

function listStatement(type: string | undefined, before: string | undefined): Statement {
  const conditions = ['tenant_id = $1'];
  if (type !== undefined) conditions.push('type = $3');
  if (before !== undefined) conditions.push(`id < $${type === undefined ? 3 : 4}`);
  const name = ['events.list', ...(type === undefined ? [] : ['type']), ...(before === undefined ? [] : ['before'])];
  return statement(
    name.join('.'),
    `select id, webhook_id, type, created_at, ${DELIVERED} from webhook_events e
     where ${conditions.join(' and ')} order by id desc limit $2`,
  );
}

export interface EventTarget {
  webhookId: string;
  eventId: string;
  payload: string;
  /** Null: recorded only. */
  deliveryId: string | null;
}

export interface NewEventRows {
  tenantId: string;
  type: string;
  createdAt: string;
  targets: readonly EventTarget[];
}

export class EventStore {
  constructor(private readonly database: Queryable) {}

  async record(transaction: Queryable, { tenantId, type, createdAt, targets }: NewEventRows): Promise<void> {
    await transaction.query(record, [
      tenantId,
      type,
      createdAt,
      targets.map(({ webhookId }) => webhookId),
      targets.map(({ eventId }) => eventId),
      targets.map(({ payload }) => payload),
      targets.map(({ deliveryId }) => deliveryId),
    ]);
  }

  /** Newest first. */
  list(query: { tenantId: string; type?: string | undefined; before?: string | undefined; limit: number }) {
    const { tenantId, type, before, limit } = query;
    const filters = [type, before].filter((value) => value !== undefined);
    return this.database.query<EventRow>(listStatement(type, before), [tenantId, limit, ...filters]);
  }
}
