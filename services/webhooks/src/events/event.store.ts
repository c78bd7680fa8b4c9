// Events: one row for each subscribed webhook.
import { Database, statement, type Statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { joinQueue } from '../deliveries/endpoint-queue.store.js';
import { IS_DELIVERED } from './delivered-events.rows.js';
import type { EventRow } from './event.view.js';

/** Set-based. Rows that exist already stay unchanged, and nothing is queued for them. */
const record = statement(
  'events.record',
  `with target as (
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::text[], $7::uuid[], $8::text[])
       as t (tenant_id, webhook_id, event_id, type, created_at, payload, delivery_id, traceparent)
   ), recorded as (
     insert into webhook_events (tenant_id, id, webhook_id, type, created_at, payload)
     select tenant_id, event_id, webhook_id, type, created_at, payload from target order by tenant_id, event_id
     on conflict do nothing returning tenant_id, id
   ), queued as (
     insert into queued_deliveries (tenant_id, webhook_id, id, event_id, event_type, traceparent)
     select t.tenant_id, t.webhook_id, t.delivery_id, t.event_id, t.type, t.traceparent
     from target t join recorded r on r.tenant_id = t.tenant_id and r.id = t.event_id where t.delivery_id is not null
     returning tenant_id, webhook_id
   ), ${joinQueue('queued', '$1', '$2')}`,
);

/** $3: the id of the row, and the id that it has if an earlier release wrote it. */
const find = statement(
  'events.find',
  `select id, webhook_id, type, created_at, payload, ${IS_DELIVERED} as delivered from webhook_events e
   where tenant_id = $1 and webhook_id = $2 and id = any($3::uuid[])`,
);

function listStatement(type: string | undefined, before: string | undefined): Statement {
  const conditions = ['tenant_id = $1'];
  if (type !== undefined) conditions.push('type = $3');
  if (before !== undefined) conditions.push(`id < $${type === undefined ? 3 : 4}`);
  const name = ['events.list', ...(type === undefined ? [] : ['type']), ...(before === undefined ? [] : ['before'])];
  return statement(
    name.join('.'),
    `select id, webhook_id, type, created_at, ${IS_DELIVERED} as delivered from webhook_events e
     where ${conditions.join(' and ')} order by id desc limit $2`,
  );
}

export interface EventWithPayload extends EventRow {
  payload: string;
}

export interface NewEventRow {
  tenantId: string;
  webhookId: string;
  /** The id of the row (event-row-id.domain.ts). */
  eventId: string;
  type: string;
  /** ISO 8601 */
  createdAt: string;
  payload: string;
  /** Null if the event is only recorded, without a delivery. */
  deliveryId: string | null;
  /** The trace that the event belongs to. */
  traceparent?: string | undefined;
}

@Injectable()
export class EventStore {
  constructor(private readonly database: Database) {}

  /** Records all rows or none, and queues their deliveries. Idempotent. */
  async record(rows: readonly NewEventRow[]): Promise<void> {
    await this.database.query(record, [
      rows.map(({ tenantId }) => tenantId),
      rows.map(({ webhookId }) => webhookId),
      rows.map(({ eventId }) => eventId),
      rows.map(({ type }) => type),
      rows.map(({ createdAt }) => createdAt),
      rows.map(({ payload }) => payload),
      rows.map(({ deliveryId }) => deliveryId),
      rows.map(({ traceparent }) => traceparent ?? null),
    ]);
  }

  async find(tenantId: string, webhookId: string, rowIds: readonly string[]): Promise<EventWithPayload | null> {
    const [row] = await this.database.query<EventWithPayload>(find, [tenantId, webhookId, rowIds]);
    return row ?? null;
  }

  /** Newest first. */
  list(query: { tenantId: string; type?: string | undefined; before?: string | undefined; limit: number }) {
    const { tenantId, type, before, limit } = query;
    const filters = [type, before].filter((value) => value !== undefined);
    return this.database.query<EventRow>(listStatement(type, before), [tenantId, limit, ...filters]);
  }
}
