// The queue of webhooks with pending deliveries. A transaction that queues deliveries takes a shared lock on the row of a webhook
// that is due, so that it blocks neither other such transactions nor claims. A transaction that moves or removes a row locks it
// exclusively and then checks the deliveries, so that no delivery is overlooked.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { WebhookRef } from '../webhooks/webhook.store.js';

/**
 * Completes a statement that queues deliveries. `queued` is the CTE of the queued rows. `tenantIds` and `webhookIds` are arrays of the
 * possible webhooks. The statement locks the rows that are due, and inserts or moves the others. It orders them by id, so that two
 * transactions never deadlock.
 */
export const joinQueue = (queued: string, tenantIds: string, webhookIds: string): string => `
  due_webhooks as materialized (
    select tenant_id, webhook_id from waiting_webhooks
    where tenant_id = any(${tenantIds}) and webhook_id = any(${webhookIds}) and due_at <= now()
    order by tenant_id, webhook_id for key share
  )
  insert into waiting_webhooks (tenant_id, webhook_id, failing)
  select q.tenant_id, q.webhook_id, exists (select 1 from webhooks w
    where w.tenant_id = q.tenant_id and w.id = q.webhook_id and w.failing_since is not null)
  from (select distinct tenant_id, webhook_id from ${queued}) q
  where (q.tenant_id, q.webhook_id) not in (select tenant_id, webhook_id from due_webhooks)
  order by q.tenant_id, q.webhook_id
  on conflict (tenant_id, webhook_id) do update set due_at = least(waiting_webhooks.due_at, excluded.due_at)`;

/** A claim: skips webhooks that another transaction has locked. */
const lock = statement(
  'endpoint_queue.lock',
  `select tenant_id, webhook_id from waiting_webhooks
   where (tenant_id, webhook_id) in (select * from unnest($1::uuid[], $2::uuid[]))
     and tenant_id = any($1) and webhook_id = any($2)
   order by tenant_id, webhook_id for update skip locked`,
);
/** Set-based: moves or removes each webhook by its first delivery. */
const rescheduleIdle = statement(
  'endpoint_queue.reschedule_idle',
  `with first as (
     select w.tenant_id, w.webhook_id,
       (select min(greatest(q.due_at, q.lease_expires_at)) from queued_deliveries q
        where q.tenant_id = w.tenant_id and q.webhook_id = w.webhook_id) as due_at
     from unnest($1::uuid[], $2::uuid[]) as w (tenant_id, webhook_id)
   ), gone as (
     delete from waiting_webhooks w using first f
     where w.tenant_id = f.tenant_id and w.webhook_id = f.webhook_id and f.due_at is null
       and w.tenant_id = any($1) and w.webhook_id = any($2)
   )
   update waiting_webhooks w set due_at = greatest(f.due_at, clock_timestamp())
   from first f where w.tenant_id = f.tenant_id and w.webhook_id = f.webhook_id and f.due_at is not null
     and w.tenant_id = any($1) and w.webhook_id = any($2)`,
);
/** Walks the index from webhook to webhook. Each webhook costs two probes, however many deliveries it has. */
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
       (select min(greatest(q.due_at, q.lease_expires_at)) from queued_deliveries q
        where q.tenant_id = webhook.tenant_id and q.webhook_id = webhook.webhook_id) as due_at
     from webhook
   )
   insert into waiting_webhooks (tenant_id, webhook_id, due_at)
   select f.tenant_id, f.webhook_id, f.due_at from first f left join waiting_webhooks w using (tenant_id, webhook_id)
   where f.due_at is not null and (w.tenant_id is null or w.due_at > greatest(f.due_at, now()))
   order by f.tenant_id, f.webhook_id
   on conflict (tenant_id, webhook_id) do update set due_at = least(waiting_webhooks.due_at, excluded.due_at)`,
);
/** A set: the deliveries of all days that are no longer kept. */
const deleteQueued = statement(
  'endpoint_queue.delete_queued',
  `delete from queued_deliveries
   where id < uuid_floor((($1::timestamptz at time zone 'UTC')::date - $2::int)::timestamp at time zone 'UTC')`,
);

@Injectable()
export class EndpointQueueStore {
  constructor(private readonly database: Database) {}

  /**
   * Updates webhooks that were due without a due delivery: removes those without deliveries, and moves the others to the time
   * their first delivery is due. Skips locked rows.
   */
  async rescheduleIdle(webhooks: readonly WebhookRef[]): Promise<void> {
    await this.database.transaction(async (transaction) => {
      // Two statements on purpose: the second sees everything that was committed before the first acquired its locks.
      const locked = await transaction.query<{ tenant_id: string; webhook_id: string }>(lock, [
        webhooks.map(({ tenantId }) => tenantId),
        webhooks.map(({ webhookId }) => webhookId),
      ]);
      const values = [locked.map((row) => row.tenant_id), locked.map((row) => row.webhook_id)];
      if (locked.length > 0) await transaction.query(rescheduleIdle, values);
    });
  }

  /** Reconciliation: adds missing webhooks with deliveries, and moves those that are queued too late. */
  async restore(): Promise<void> {
    await this.database.query(restore);
  }

  /** Deletes the deliveries whose event happened on a day more than `keptDays` days before `now`. */
  async deleteQueued(now: Date, keptDays: number): Promise<void> {
    await this.database.query(deleteQueued, [now, keptDays]);
  }
}
