// Deliveries as their owner sees them: what is queued and what has been settled are one list, newest first. Each half is read from
// its own index in one statement, so that one that is settled meanwhile is neither missed nor seen twice.
import { statement, type Queryable, type Statement } from '@kiln/platform';
import type { AttemptRow, DeliveryRow, DeliveryView } from './delivery.rows.js';

export interface DeliveryQuery {
  tenantId: string;
  webhookId: string;
  status?: DeliveryView['status'] | undefined;
  eventType?: string | undefined;
  /** The last delivery of the page before. */
  before?: string | undefined;
  limit: number;
}

const SHARED = 'tenant_id, webhook_id, id, event_id, event_type';
const QUEUED = `select ${SHARED}, 'pending' as status, attempt, due_at, created_at from queued_deliveries`;
const SETTLED = `select ${SHARED}, status, attempt, null::timestamptz as due_at, created_at from settled_deliveries`;
const LOGGED = `attempt as logged_attempt, attempted_at, status_code, duration_ms, error, response_body`;
const LAST_ATTEMPT = `left join lateral (select ${LOGGED} from delivery_attempts a
   where a.tenant_id = d.tenant_id and a.delivery_id = d.id order by a.attempt desc limit 1) last on true`;

/** Each combination of filters is a statement of its own, so that the planner sees only the conditions that are there. */
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
    ...(status === 'pending' ? [] : [half(SETTLED, status && `status = '${status}'`)]),
  ];
  const both = halves.length > 1 ? `${halves.join(' union all ')} order by id desc limit $3` : halves.join('');
  const text = `select d.*, last.* from (${both}) d ${LAST_ATTEMPT}
    order by d.id desc`;
  return { statement: statement(['deliveries.list', status ?? 'all', ...parts].join('.'), text), values };
}

const find = statement(
  'deliveries.find',
  `select d.*, last.* from (
     ${QUEUED} where tenant_id = $1 and webhook_id = $2 and id = $3
     union all ${SETTLED} where tenant_id = $1 and webhook_id = $2 and id = $3) d ${LAST_ATTEMPT}`,
);
const attempts = statement(
  'deliveries.attempts',
  `select ${LOGGED} from delivery_attempts where tenant_id = $1 and delivery_id = $2 order by attempt`,
);
const enqueue = statement(
  'deliveries.enqueue',
  `insert into queued_deliveries (tenant_id, webhook_id, id, event_id, event_type)
   select $1, $2, * from unnest($3::uuid[], $4::uuid[], $5::text[])`,
);

export interface NewDelivery {
  id: string;
  eventId: string;
  eventType: string;
}

export class DeliveryStore {
  constructor(private readonly database: Queryable) {}

  list(query: DeliveryQuery): Promise<DeliveryRow[]> {
    const { statement, values } = listStatement(query);
    return this.database.query<DeliveryRow>(statement, values);
  }

  async find(tenantId: string, webhookId: string, id: string): Promise<DeliveryRow | null> {
    const [row] = await this.database.query<DeliveryRow>(find, [tenantId, webhookId, id]);
    return row ?? null;
  }

  /** In the order in which they were made. */
  attempts(tenantId: string, id: string): Promise<AttemptRow[]> {
    return this.database.query<AttemptRow>(attempts, [tenantId, id]);
  }

  /** Due at once. The webhook has to join the queue of endpoints in the same transaction. */
  async enqueue(
    transaction: Queryable,
    tenantId: string,
    webhookId: string,
    deliveries: readonly NewDelivery[],
  ): Promise<void> {
    const columns = [
      deliveries.map(({ id }) => id),
      deliveries.map(({ eventId }) => eventId),
      deliveries.map(({ eventType }) => eventType),
    ];
    await transaction.query(enqueue, [tenantId, webhookId, ...columns]);
  }
}
