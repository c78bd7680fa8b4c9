// Claiming: due deliveries of the webhooks whose turn it is, each for as many as its endpoint may have under way, in one
// statement. Raising the attempt before anything is sent is what makes a crash visible: the next claim of the row finds the lease
// that ran out, and logs the attempt whose outcome nobody knows.
import { nextDueInMs, nextDueStatement, statement, type Queryable } from '@kiln/platform';
import type { ClaimLimits } from '../domain/endpoint-slots.js';
import type { WebhookRef } from './webhook.store.js';

export interface ClaimedDelivery {
  tenant_id: string;
  webhook_id: string;
  id: string;
  event_id: string;
  event_type: string;
  /** The one this claim has begun; the fence of its outcome. */
  attempt: number;
  /** Before this attempt. */
  failures: number;
  /** Null when the event is no longer kept. */
  payload: string | null;
  /** Of the webhook, as it is now; null when it is gone. */
  version: number | null;
}

/** What a claim has found. */
export interface Claimed {
  deliveries: ClaimedDelivery[];
  /** Webhooks whose turn came to nothing; to be put where they belong, once the deliveries are under way. */
  idle: WebhookRef[];
}

const ENDPOINTS_MAX = 64;

const UNKNOWN_OUTCOME = 'The worker was cut off; whether the endpoint got this attempt is not known.';

const claim = statement(
  'claims.claim',
  `with turn as materialized (
     select tenant_id, webhook_id, failing from waiting_webhooks
     where due_at <= now() and webhook_id <> all($1::uuid[]) and (not failing or $2)
     order by served_at, webhook_id limit ${ENDPOINTS_MAX} for no key update skip locked
   ), due as materialized (
     select d.*, w.version from turn
     left join webhooks w on w.tenant_id = turn.tenant_id and w.id = turn.webhook_id
     left join unnest($3::uuid[], $4::int[]) as known (webhook_id, free) on known.webhook_id = turn.webhook_id
     cross join lateral (
       select q.tenant_id, q.webhook_id, q.id, q.leased_until from queued_deliveries q
       where q.tenant_id = turn.tenant_id and q.webhook_id = turn.webhook_id
         and q.due_at <= now() and q.leased_until <= now()
       order by q.due_at, q.id
       limit coalesce(known.free, case when turn.failing then $6::int else $5::int end) for update skip locked) d
     limit $7
   ), claimed as (
     update queued_deliveries q set attempt = q.attempt + 1, leased_until = now() + make_interval(secs => $8)
     from due where q.tenant_id = due.tenant_id and q.webhook_id = due.webhook_id and q.id = due.id
     returning q.*, due.leased_until as lost_lease, due.version
   ), lost as (
     insert into delivery_attempts (tenant_id, delivery_id, attempt, attempted_at, error)
     select tenant_id, id, attempt - 1, lost_lease - make_interval(secs => $8), '${UNKNOWN_OUTCOME}'
     from claimed where lost_lease > '-infinity'
     on conflict do nothing
   ), served as (
     update waiting_webhooks w set served_at = clock_timestamp() from turn
     where w.tenant_id = turn.tenant_id and w.webhook_id = turn.webhook_id
       and exists (select 1 from due where due.tenant_id = turn.tenant_id and due.webhook_id = turn.webhook_id)
   )
   select c.tenant_id, c.webhook_id, c.id, c.event_id, c.event_type, c.attempt, c.failures, c.version,
     e.payload
   from claimed c left join webhook_events e on e.tenant_id = c.tenant_id and e.id = c.event_id
   union all
   select turn.tenant_id, turn.webhook_id, null, null, null, null, null, null, null from turn
   where not exists (select 1 from due where due.tenant_id = turn.tenant_id and due.webhook_id = turn.webhook_id)
     and (select count(*) from due) < $7`,
);
const nextDue = nextDueStatement(
  'claims.next_due',
  'select min(due_at) from waiting_webhooks where webhook_id <> all($1::uuid[]) and (not failing or $2)',
);

type Answer = ClaimedDelivery | { tenant_id: string; webhook_id: string; id: null };

export class ClaimStore {
  constructor(
    private readonly database: Queryable,
    private readonly leaseSeconds: number,
  ) {}

  async claim({ deliveries: count, full, free, slots, withFailing }: ClaimLimits): Promise<Claimed> {
    const rows = await this.database.query<Answer>(claim, [
      full,
      withFailing,
      [...free.keys()],
      [...free.values()],
      slots.first,
      slots.failing,
      count,
      this.leaseSeconds,
    ]);
    const claimed: Claimed = { deliveries: [], idle: [] };
    for (const row of rows) {
      if (row.id !== null) claimed.deliveries.push(row);
      else claimed.idle.push({ tenantId: row.tenant_id, webhookId: row.webhook_id });
    }
    return claimed;
  }

  /**
   * Milliseconds until a claim may get something; null when nothing is queued. 0 when something is due that the last claim did
   * not get: another is at it, and it will be free in a moment.
   */
  nextDueInMs({ full, withFailing }: ClaimLimits): Promise<number | null> {
    return nextDueInMs(this.database, nextDue, [full, withFailing]);
  }
}
