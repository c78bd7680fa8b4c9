// The queue of webhooks with something to deliver. Those who queue deliveries only share a webhook's row while it is due, so that
// they hold up neither each other nor the claims; whoever moves or removes a row has it alone, and looks at the deliveries
// after that: none is ever left unseen.
import { statement, type Database, type Queryable } from '@kiln/platform';
import type { WebhookRef } from './webhook.store.js';

/** Locks rows that stand there and are due; makes or moves the others. In the order of ids, so that two never deadlock. */
const join = statement(
  'endpoint_queue.join',
  `with wanted as (
     select * from unnest($2::uuid[], $3::boolean[]) as w (webhook_id, failing)
   ), due as materialized (
     select webhook_id from waiting_webhooks
     where tenant_id = $1 and webhook_id = any($2) and due_at <= now() order by webhook_id for key share
   )
   insert into waiting_webhooks (tenant_id, webhook_id, due_at, failing)
   select $1, webhook_id, now(), failing from wanted where webhook_id not in (select webhook_id from due)
   order by webhook_id
   on conflict (tenant_id, webhook_id) do update
     set due_at = least(waiting_webhooks.due_at, excluded.due_at),
         served_at = least(waiting_webhooks.served_at, excluded.due_at)`,
);
const lock = statement(
  'endpoint_queue.lock',
  `select tenant_id, webhook_id from waiting_webhooks
   where (tenant_id, webhook_id) in (select * from unnest($1::uuid[], $2::uuid[]))
   order by tenant_id, webhook_id for update skip locked`,
);
/** A postponed webhook goes to the far end of the order, so that claims do not step over it each time. */
const settle = statement(
  'endpoint_queue.settle',
  `with first as (
     select w.tenant_id, w.webhook_id,
       (select min(greatest(q.due_at, q.leased_until)) from queued_deliveries q
        where q.tenant_id = w.tenant_id and q.webhook_id = w.webhook_id) as due_at
     from unnest($1::uuid[], $2::uuid[]) as w (tenant_id, webhook_id)
   ), gone as (
     delete from waiting_webhooks w using first f
     where w.tenant_id = f.tenant_id and w.webhook_id = f.webhook_id and f.due_at is null
   )
   update waiting_webhooks w set due_at = f.due_at, served_at = greatest(f.due_at, clock_timestamp())
   from first f where w.tenant_id = f.tenant_id and w.webhook_id = f.webhook_id and f.due_at is not null
   returning w.due_at <= clock_timestamp() as due`,
);
/** Hops from webhook to webhook along the index of what is queued: two probes for each, whatever it has queued. */
const restore = statement(
  'endpoint_queue.restore',
  `with recursive webhook as (
     (select tenant_id, webhook_id from queued_deliveries order by tenant_id, webhook_id limit 1)
     union all
     select next.tenant_id, next.webhook_id from webhook cross join lateral (
       select q.tenant_id, q.webhook_id from queued_deliveries q
       where (q.tenant_id, q.webhook_id) > (webhook.tenant_id, webhook.webhook_id)
       order by q.tenant_id, q.webhook_id limit 1) next
   ), first as (
     select tenant_id, webhook_id,
       (select min(greatest(q.due_at, q.leased_until)) from queued_deliveries q
        where q.tenant_id = webhook.tenant_id and q.webhook_id = webhook.webhook_id) as due_at
     from webhook
   )
   insert into waiting_webhooks (tenant_id, webhook_id, due_at)
   select f.tenant_id, f.webhook_id, f.due_at from first f left join waiting_webhooks w using (tenant_id, webhook_id)
   where f.due_at is not null and (w.tenant_id is null or w.due_at > greatest(f.due_at, now()))
   order by f.tenant_id, f.webhook_id
   on conflict (tenant_id, webhook_id) do update
     set due_at = least(waiting_webhooks.due_at, excluded.due_at),
         served_at = least(waiting_webhooks.served_at, excluded.due_at)`,
);

export class EndpointQueueStore {
  constructor(private readonly database: Database) {}

  /** To be called in the transaction that queues deliveries, after that write. */
  async join(
    queryable: Queryable,
    tenantId: string,
    webhooks: readonly { id: string; failing: boolean }[],
  ): Promise<void> {
    await queryable.query(join, [tenantId, webhooks.map(({ id }) => id), webhooks.map(({ failing }) => failing)]);
  }

  /**
   * Puts webhooks whose turn came to nothing where they belong: away when nothing is queued, later when the first is due later.
   * False when one of them may have something after all: look again in a moment.
   */
  settle(webhooks: readonly WebhookRef[]): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      // Two statements on purpose: the second sees what was committed before the first got its locks.
      const locked = await transaction.query<{ tenant_id: string; webhook_id: string }>(lock, [
        webhooks.map(({ tenantId }) => tenantId),
        webhooks.map(({ webhookId }) => webhookId),
      ]);
      const rows = await transaction.query<{ due: boolean }>(settle, [
        locked.map((row) => row.tenant_id),
        locked.map((row) => row.webhook_id),
      ]);
      return locked.length === webhooks.length && !rows.some(({ due }) => due);
    });
  }

  /** Brings back webhooks whose place does not fit what they have queued. Nothing should lose it; this makes sure. */
  async restore(): Promise<void> {
    await this.database.query(restore);
  }
}
