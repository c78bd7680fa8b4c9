// Claims due deliveries of the next webhooks round robin, each up to the concurrency its endpoint and its tenant are allowed, in one
// statement. The attempt is raised before anything is sent, which makes a crash visible: the next claim of the row finds the lease
// expired, and logs the attempt with an unknown outcome.
import { Database, statement } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';
import { fullTenants, type ClaimLimits } from './domain/endpoint-slots.js';
import type { WebhookRef } from '../webhooks/webhook.store.js';

export interface ClaimedDelivery {
  tenant_id: string;
  webhook_id: string;
  id: string;
  event_id: string;
  event_type: string;
  /** The attempt that this claim begins. It is the fencing token of the outcome. */
  attempt: number;
  /** The number of failed attempts before this one. */
  failures: number;
  /** The trace that the event belongs to. */
  traceparent: string | null;
  /** Null if the event is no longer stored. */
  payload: string | null;
  /** The current version of the webhook. Null if it was deleted. */
  version: number | null;
  /** Whether the endpoint counted as failing at the claim. */
  failing: boolean;
}

export interface Claimed {
  deliveries: ClaimedDelivery[];
  /** Webhooks that were due without a due delivery. */
  idle: WebhookRef[];
  /** Whether the claim reached a limit, so that the next one may find more at once. */
  hasMore: boolean;
  /**
   * Milliseconds until the next webhook outside this claim is due; null without one. 0 if it is already due:
   * another worker holds its lock and will release it soon.
   */
  nextInMs: number | null;
}

const ENDPOINTS_MAX = 64;

const UNKNOWN_OUTCOME = 'The worker was cut off; whether the endpoint got this attempt is not known.';

/** SQL: the live tenant of the same organization, as `liveTenantOf` computes it. */
const ORGANIZATION = `overlay(found.tenant_id::text placing '7' from 15 for 1)::uuid`;

/** The claim. If a limit was reached, the served webhooks move to the end of the queue. Otherwise all webhooks were served. */
const claim = statement(
  'claims.claim',
  `with waiting as materialized (
     select tenant_id, webhook_id, failing from waiting_webhooks
     where due_at <= now() and webhook_id <> all($1::uuid[]) and tenant_id <> all($9::uuid[]) and (not failing or $2)
     order by due_at, webhook_id limit ${ENDPOINTS_MAX} for no key update skip locked
   ), found as materialized (
     select d.*, w.version, waiting.failing from waiting
     left join webhooks w on w.tenant_id = waiting.tenant_id and w.id = waiting.webhook_id
     left join unnest($3::uuid[], $4::int[]) as known (webhook_id, free) on known.webhook_id = waiting.webhook_id
     cross join lateral (
       select q.tenant_id, q.webhook_id, q.id, q.lease_expires_at from queued_deliveries q
       where q.tenant_id = waiting.tenant_id and q.webhook_id = waiting.webhook_id
         and q.due_at <= now() and q.lease_expires_at <= now()
       order by q.due_at, q.id
       limit coalesce(known.free, case when waiting.failing then $6::int else $5::int end) for update skip locked) d
     limit $7
   ), due as materialized (
     select * from (
       select found.*, row_number() over (partition by ${ORGANIZATION}) + coalesce(held.deliveries, 0) as number
       from found left join unnest($10::uuid[], $11::int[]) as held (organization, deliveries) on held.organization = ${ORGANIZATION}
     ) numbered where number <= $12
   ), claimed as (
     update queued_deliveries q set attempt = q.attempt + 1, lease_expires_at = now() + make_interval(secs => $8)
     from due where q.tenant_id = due.tenant_id and q.webhook_id = due.webhook_id and q.id = due.id
     returning q.*, due.lease_expires_at as lost_lease, due.version, due.failing
   ), lost as (
     insert into delivery_attempts (tenant_id, delivery_id, attempt, attempted_at, error)
     select tenant_id, id, attempt - 1, lost_lease - make_interval(secs => $8), '${UNKNOWN_OUTCOME}'
     from claimed where lost_lease > '-infinity'
     on conflict do nothing
   ), served as (
     update waiting_webhooks w set due_at = clock_timestamp() from waiting
     where w.tenant_id = waiting.tenant_id and w.webhook_id = waiting.webhook_id
       and ((select count(*) from waiting) = ${ENDPOINTS_MAX} or (select count(*) from found) = $7
         or (select count(*) from due) < (select count(*) from found))
       and exists (select 1 from due where due.tenant_id = waiting.tenant_id and due.webhook_id = waiting.webhook_id)
   )
   select c.tenant_id, c.webhook_id, c.id, c.event_id, c.event_type, c.attempt, c.failures, c.version, c.failing,
     c.traceparent, e.payload, null::float8 as next_in_ms
   from claimed c left join webhook_events e on e.tenant_id = c.tenant_id and e.id = c.event_id
   union all
   select waiting.tenant_id, waiting.webhook_id, null, null, null, null, null, null, null, null, null, null from waiting
   where not exists (select 1 from found where found.tenant_id = waiting.tenant_id and found.webhook_id = waiting.webhook_id)
     and (select count(*) from found) < $7
   union all
   select null, null, null, null, null, null, null, null, null, null, null,
     (select ceil(extract(epoch from greatest(w.due_at, now()) - now()) * 1000) from waiting_webhooks w
      where w.webhook_id <> all($1) and w.tenant_id <> all($9) and (not w.failing or $2)
        and (w.tenant_id, w.webhook_id) not in (select tenant_id, webhook_id from waiting)
      order by w.due_at limit 1)`,
);

type Answer =
  | ClaimedDelivery
  | { tenant_id: string; webhook_id: string; id: null }
  | { tenant_id: null; id: null; next_in_ms: number | null };

/** Injection token: the duration of a lease. */
export const LEASE_SECONDS = Symbol('lease seconds');

@Injectable()
export class ClaimStore {
  constructor(
    private readonly database: Database,
    @Inject(LEASE_SECONDS) private readonly leaseSeconds: number,
  ) {}

  async claim(limits: ClaimLimits): Promise<Claimed> {
    const { deliveries: count, full, free, slots, withFailing, organizations } = limits;
    const rows = await this.database.query<Answer>(claim, [
      full,
      withFailing,
      [...free.keys()],
      [...free.values()],
      slots.first,
      slots.failing,
      count,
      this.leaseSeconds,
      fullTenants(limits),
      [...organizations.running.keys()],
      [...organizations.running.values()],
      organizations.max,
    ]);
    const claimed: Claimed = { deliveries: [], idle: [], hasMore: false, nextInMs: null };
    const webhooks = new Set<string>();
    for (const row of rows) {
      if (row.tenant_id === null) claimed.nextInMs = row.next_in_ms;
      else webhooks.add(row.webhook_id);
      if (row.id !== null) claimed.deliveries.push(row);
      else if (row.tenant_id !== null) claimed.idle.push({ tenantId: row.tenant_id, webhookId: row.webhook_id });
    }
    const tenantIds = new Set(claimed.deliveries.map(({ tenant_id }) => tenant_id));
    const isTenantFull = fullTenants(limits, claimed.deliveries).some((id) => tenantIds.has(id));
    claimed.hasMore = claimed.deliveries.length === count || webhooks.size === ENDPOINTS_MAX || isTenantFull;
    return claimed;
  }
}
