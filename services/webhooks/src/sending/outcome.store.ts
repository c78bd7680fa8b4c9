// Writes the outcomes of many attempts in one statement: the attempt log, and for each delivery its end or its next attempt. Every row
// names the attempt as its fencing token. If another worker has claimed the delivery since, nothing changes. The same statement records
// whether an endpoint is failing and why, if that changed, or once a minute.
import { Database, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { WebhookRef } from '../webhooks/webhook.store.js';

/** `retry` counts as a failure. `again` does not: the worker itself aborted the attempt or did not begin it, and the delivery keeps its place. */
export type Verdict = 'delivered' | 'failed' | 'retry' | 'again';

/** Unknown fields are left out. */
export interface Outcome {
  tenant_id: string;
  webhook_id: string;
  delivery_id: string;
  attempt: number;
  verdict: Verdict;
  /** False when the delivery ended without an attempt. Then nothing is logged. */
  attempted: boolean;
  /** Milliseconds since 1970. */
  attempted_at_ms?: number;
  status_code?: number;
  duration_ms?: number;
  error?: string;
  response_body?: string;
  /** Milliseconds until the next attempt, for `retry`. For `again`, until this worker claims again; others may do so at once. */
  retry_in_ms?: number;
}

/**
 * Two conditions, because an outage of an hour after a quiet week must not disable a webhook, however often a delivery is tried in that
 * hour.
 */
const FAILING_TOO_LONG = `failing_since < now() - interval '5 days' and failing_daily_since < now() - interval '12 hours'`;

/**
 * Set-based, fenced and hot. All rows are one JSON parameter: parsing it costs the database less than building twelve arrays costs the
 * process.
 */
const record = statement(
  'outcomes.record',
  `with outcome as materialized (
     select * from json_to_recordset($1::json) as o (tenant_id uuid, webhook_id uuid, delivery_id uuid, attempt int,
       verdict text, attempted boolean, attempted_at_ms bigint, status_code int, duration_ms int, error text,
       response_body text, retry_in_ms bigint)
   ), gone as (
     delete from queued_deliveries q using outcome o
     where q.tenant_id = o.tenant_id and q.webhook_id = o.webhook_id and q.id = o.delivery_id
       and q.attempt = o.attempt and o.verdict in ('delivered', 'failed')
     returning q.event_id, q.event_type, q.created_at, o.*
   ), postponed as (
     update queued_deliveries q set lease_expires_at = '-infinity',
       failures = q.failures + case when o.verdict = 'retry' then 1 else 0 end,
       due_at = case when o.verdict = 'again' then q.due_at else now() + make_interval(secs => o.retry_in_ms / 1000.0) end
     from outcome o
     where q.tenant_id = o.tenant_id and q.webhook_id = o.webhook_id and q.id = o.delivery_id
       and q.attempt = o.attempt and q.lease_expires_at > '-infinity' and o.verdict in ('retry', 'again')
     returning q.due_at, o.*
   ), finished as (
     insert into finished_deliveries (tenant_id, webhook_id, id, event_id, event_type, status, attempt, created_at)
     select tenant_id, webhook_id, delivery_id, event_id, event_type, verdict, attempt, created_at from gone
   ), held as (
     select tenant_id, delivery_id, attempt, attempted, attempted_at_ms, status_code, duration_ms, error, response_body
     from gone
     union all
     select tenant_id, delivery_id, attempt, attempted, attempted_at_ms, status_code, duration_ms, error, response_body
     from postponed
   ), logged as (
     insert into delivery_attempts
       (tenant_id, delivery_id, attempt, attempted_at, status_code, duration_ms, error, response_body)
     select tenant_id, delivery_id, attempt, to_timestamp(attempted_at_ms / 1000.0), status_code, duration_ms, error,
       response_body
     from held where attempted
     on conflict do nothing
   ), judged as materialized (
     select distinct on (tenant_id, webhook_id) tenant_id, webhook_id, verdict = 'delivered' as healthy, error
     from outcome where attempted and verdict <> 'again'
     order by tenant_id, webhook_id, verdict = 'delivered' desc, attempted_at_ms desc
   ), changed as materialized (
     select j.* from judged j join webhooks w on w.tenant_id = j.tenant_id and w.id = j.webhook_id
     where case when j.healthy then w.failing_since is not null else w.failing_since is null
       or w.last_failed_at < now() - interval '1 minute' or w.last_error is distinct from j.error end
     order by w.tenant_id, w.id for no key update of w
   ), health as (
     update webhooks w set
       failing_since = case when not c.healthy then coalesce(w.failing_since, now()) end,
       failing_daily_since = case when not c.healthy then
         case when w.last_failed_at > now() - interval '1 day' then w.failing_daily_since else now() end end,
       last_failed_at = case when not c.healthy then now() end,
       last_error = case when not c.healthy then c.error end
     from changed c where w.tenant_id = c.tenant_id and w.id = c.webhook_id
   ), waiting as (
     insert into waiting_webhooks (tenant_id, webhook_id, due_at, failing)
     select tenant_id, webhook_id, greatest(min(due_at), now()), (tenant_id, webhook_id) in (select tenant_id, webhook_id from judged where not healthy)
     from postponed group by 1, 2 order by 1, 2
     on conflict (tenant_id, webhook_id) do update
       set due_at = least(waiting_webhooks.due_at, excluded.due_at), failing = excluded.failing
   ), trusted as (
     update waiting_webhooks w set failing = false from judged j
     where w.tenant_id = j.tenant_id and w.webhook_id = j.webhook_id and j.healthy and w.failing
       and not exists (select 1 from postponed p where p.tenant_id = w.tenant_id and p.webhook_id = w.webhook_id)
   )
   select delivery_id as overtaken, null::uuid as tenant_id, null::uuid as webhook_id from outcome o
   where not exists (select 1 from held where held.tenant_id = o.tenant_id and held.delivery_id = o.delivery_id)
   union all
   select null, w.tenant_id, w.id from webhooks w join judged j on j.tenant_id = w.tenant_id and j.webhook_id = w.id
   where not j.healthy and w.active and w.last_failed_at > now() - interval '1 day' and ${FAILING_TOO_LONG}`,
);
/** Disables a webhook. Returns no row when it is disabled already, has recovered, or has another version than the one that is gone. */
const disable = statement(
  'outcomes.disable',
  `update webhooks set active = false, disabled_reason = case when $3::int is null then 'failing' else 'gone' end, version = version + 1, updated_at = now()
   where tenant_id = $1 and id = $2 and active
     and case when $3::int is null then ${FAILING_TOO_LONG} else version = $3 end
   returning url, failing_since`,
);

export interface RecordedOutcomes {
  /** Deliveries that another claim has taken since, or that are finished. */
  overtaken: ReadonlySet<string>;
  /** Webhooks without a success for five days, whose present series of failures began at least 12 hours ago. */
  failingTooLong: WebhookRef[];
}

type Answer = { overtaken: string } | { overtaken: null; tenant_id: string; webhook_id: string };

@Injectable()
export class OutcomeStore {
  constructor(private readonly database: Database) {}

  async record(outcomes: readonly Outcome[]): Promise<RecordedOutcomes> {
    const rows = await this.database.query<Answer>(record, [JSON.stringify(outcomes)]);
    return {
      overtaken: new Set(rows.flatMap(({ overtaken }) => (overtaken === null ? [] : [overtaken]))),
      failingTooLong: rows.flatMap((row) =>
        row.overtaken === null ? [{ tenantId: row.tenant_id, webhookId: row.webhook_id }] : [],
      ),
    };
  }

  /**
   * Disables a webhook whose endpoint is gone in this version, or (null) has failed for too long. Returns the data of the event. Null if the
   * webhook is already disabled, has recovered, or was changed since.
   */
  async disable(
    transaction: Queryable,
    { tenantId, webhookId }: WebhookRef,
    goneVersion: number | null,
  ): Promise<{ url: string; failing_since: Date | null } | null> {
    const values = [tenantId, webhookId, goneVersion];
    const [row] = await transaction.query<{ url: string; failing_since: Date | null }>(disable, values);
    return row ?? null;
  }
}
