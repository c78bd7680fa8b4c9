// Lists deliveries, queued and finished, newest first. One statement reads both tables, so that a delivery that finishes
// meanwhile is neither missing nor listed twice.
import { Database, statement, type Queryable, type Statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DeliveryAttemptEntity } from './delivery-attempt.entity.js';
import { joinQueue } from './endpoint-queue.store.js';
import type { DeliveryRow, DeliveryView } from './delivery.view.js';

export interface DeliveryQuery {
  tenantId: string;
  webhookId: string;
  status?: DeliveryView['status'] | undefined;
  eventType?: string | undefined;
  /** The last delivery of the previous page. */
  before?: string | undefined;
  limit: number;
}

const SHARED = 'tenant_id, webhook_id, id, event_id, event_type';
const QUEUED = `select ${SHARED}, 'pending' as status, attempt, due_at, created_at from queued_deliveries`;
const FINISHED = `select ${SHARED}, status, attempt, null::timestamptz as due_at, created_at from finished_deliveries`;
const LAST_ATTEMPT = `left join lateral (select attempted_at, status_code, duration_ms, error, response_body from delivery_attempts a
   where a.tenant_id = d.tenant_id and a.delivery_id = d.id order by a.attempt desc limit 1) last on true`;

/** Each combination of filters is a separate statement, so that the plan has no unused conditions. */
function listStatement(query: DeliveryQuery): { statement: Statement; values: unknown[] } {
  const { tenantId, webhookId, status, eventType, before, limit } = query;
  const values: unknown[] = [tenantId, webhookId, limit];
  const conditions = ['tenant_id = $1', 'webhook_id = $2'];
  const parts: string[] = [];
  const add = (part: string, value: unknown, condition: string) => {
    if (value === undefined) return;
    values.push(value);
    parts.push(part);
    conditions.push(`${condition} $${values.length}`);
  };
  add('type', eventType, 'event_type =');
  add('before', before, 'id <');
  const half = (select: string, more = '') =>
    `(${select} where ${[...conditions, ...(more ? [more] : [])].join(' and ')} order by id desc limit $3)`;
  const halves = [
    ...(status === undefined || status === 'pending' ? [half(QUEUED)] : []),
    ...(status === 'pending' ? [] : [half(FINISHED, status && `status = '${status}'`)]),
  ];
  const both = halves.length > 1 ? `${halves.join(' union all ')} order by id desc limit $3` : halves.join('');
  const text = `select d.*, last.* from (${both}) d ${LAST_ATTEMPT}
    order by d.id desc`;
  return { statement: statement(['deliveries.list', status ?? 'all', ...parts].join('.'), text), values };
}

/** A union of the queued and the finished deliveries. */
const find = statement(
  'deliveries.find',
  `select d.*, last.*, (select e.payload from webhook_events e where e.tenant_id = $1 and e.id = d.event_id) as payload from (
     ${QUEUED} where tenant_id = $1 and webhook_id = $2 and id = $3
     union all ${FINISHED} where tenant_id = $1 and webhook_id = $2 and id = $3) d ${LAST_ATTEMPT}`,
);
/** Set-based, and it moves the webhook in the queue. */
const enqueue = statement(
  'deliveries.enqueue',
  `with queued as (
     insert into queued_deliveries (tenant_id, webhook_id, id, event_id, event_type)
     select $1, $2, * from unnest($3::uuid[], $4::uuid[], $5::text[])
     returning tenant_id, webhook_id
   ), ${joinQueue('queued', 'array[$1::uuid]', 'array[$2::uuid]')}`,
);

export interface NewDelivery {
  id: string;
  eventId: string;
  eventType: string;
}

export interface DeliveryWithPayload extends DeliveryRow {
  /** Null when the event is no longer kept. */
  payload: string | null;
}

@Injectable()
export class DeliveryStore {
  constructor(
    private readonly database: Database,
    @InjectRepository(DeliveryAttemptEntity) private readonly log: Repository<DeliveryAttemptEntity>,
  ) {}

  list(query: DeliveryQuery): Promise<DeliveryRow[]> {
    const { statement, values } = listStatement(query);
    return this.database.query<DeliveryRow>(statement, values);
  }

  async find(tenantId: string, webhookId: string, id: string): Promise<DeliveryWithPayload | null> {
    const [row] = await this.database.query<DeliveryWithPayload>(find, [tenantId, webhookId, id]);
    return row ?? null;
  }

  /** Oldest first. */
  attempts(tenantId: string, id: string): Promise<DeliveryAttemptEntity[]> {
    return this.log.find({ where: { tenant_id: tenantId, delivery_id: id }, order: { attempt: 'ASC' } });
  }

  /** The deliveries are due at once. */
  async enqueue(on: Queryable, tenantId: string, webhookId: string, deliveries: readonly NewDelivery[]): Promise<void> {
    const columns = [
      deliveries.map(({ id }) => id),
      deliveries.map(({ eventId }) => eventId),
      deliveries.map(({ eventType }) => eventType),
    ];
    await on.query(enqueue, [tenantId, webhookId, ...columns]);
  }
}
