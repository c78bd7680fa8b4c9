// Webhooks as their owner sees them.
import { WEBHOOKS_MAX } from '@kiln/contracts';
import { statement, type Database } from '@kiln/platform';
import { WEBHOOK_COLUMNS, type WebhookRow } from './webhook.rows.js';

/** One creates at a time, and the next counts what it has committed: so it is a statement before the one that counts. */
const lockCreation = statement(
  'webhooks.lock_creation',
  `select pg_advisory_xact_lock(hashtextextended('webhooks ' || $1::text, 0))`,
);
/** A repeat of the same call finds its own row. */
const insert = statement(
  'webhooks.insert',
  `insert into webhooks (tenant_id, id, organization_id, url, events, description, secret, headers, header_names)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9
   where (select count(*) from webhooks where tenant_id = $1) < ${WEBHOOKS_MAX}
   on conflict (tenant_id, id) do nothing
   returning ${WEBHOOK_COLUMNS}`,
);
const find = statement('webhooks.find', `select ${WEBHOOK_COLUMNS} from webhooks where tenant_id = $1 and id = $2`);
const list = statement(
  'webhooks.list',
  `select ${WEBHOOK_COLUMNS} from webhooks where tenant_id = $1 order by created_at, id`,
);
/** Null keeps what is there; a description is cleared by its flag. Switched on, or led elsewhere, it starts afresh. */
const update = statement(
  'webhooks.update',
  `update webhooks set
     url = coalesce($3, url), events = coalesce($4::text[], events), active = coalesce($5, active),
     description = case when $7 then $6 else description end,
     headers = case when $9::text[] is null then headers else $8 end, header_names = coalesce($9, header_names),
     failing_since = case when $5 or $3 <> url then null else failing_since end,
     failing_daily_since = case when $5 or $3 <> url then null else failing_daily_since end,
     last_failed_at = case when $5 or $3 <> url then null else last_failed_at end,
     last_error = case when $5 or $3 <> url then null else last_error end,
     disabled_reason = case when $5 is not null then null else disabled_reason end,
     version = version + 1, updated_at = now()
   where tenant_id = $1 and id = $2 returning ${WEBHOOK_COLUMNS}`,
);
const remove = statement(
  'webhooks.remove',
  `with gone as (delete from webhooks where tenant_id = $1 and id = $2 returning tenant_id, id),
   replay as (delete from replays r using gone where r.tenant_id = gone.tenant_id and r.webhook_id = gone.id)
   select id from gone`,
);
const rotate = statement(
  'webhooks.rotate',
  `update webhooks set secret = $3,
     previous_secret = case when $4 > 0 then secret end,
     previous_secret_expires_at = case when $4 > 0 then now() + make_interval(secs => $4) end,
     version = version + 1, updated_at = now()
   where tenant_id = $1 and id = $2 returning ${WEBHOOK_COLUMNS}`,
);
const subscribed = statement(
  'webhooks.subscribed',
  `select tenant_id, id, organization_id, active, failing_since is not null as failing from webhooks
   where tenant_id = any ($1::uuid[]) and events && array[$2, '*'] order by tenant_id, id`,
);
/** Asked by id alone would find another tenant's: the pairs belong together. */
const endpoints = statement(
  'webhooks.endpoints',
  `select ${WEBHOOK_COLUMNS} from webhooks
   where (tenant_id, id) in (select * from unnest($1::uuid[], $2::uuid[]) as wanted (tenant_id, id))`,
);

/** A secret that a rotation has replaced counts until it expires. */
const sealed = statement(
  'webhooks.sealed',
  `select tenant_id, id, secret, headers,
     case when previous_secret_expires_at > now() then previous_secret end as previous_secret
   from webhooks where $1::uuid is null or (tenant_id, id) > ($1, $2::uuid) order by tenant_id, id limit $3`,
);
/** Only over what was read: what was replaced meanwhile is sealed with the newest key already. */
const reseal = statement(
  'webhooks.reseal',
  `update webhooks set secret = $3, headers = $4, previous_secret = $5
   where tenant_id = $1 and id = $2 and secret = $6 and headers is not distinct from $7
     and (previous_secret is not distinct from $8 or previous_secret_expires_at <= now()) returning 1`,
);

export interface NewWebhook {
  tenantId: string;
  id: string;
  organizationId: string;
  url: string;
  events: readonly string[];
  description: string | null;
  secret: Buffer;
  headers: Buffer | null;
  headerNames: readonly string[];
}

export interface WebhookChanges {
  url?: string | undefined;
  events?: readonly string[] | undefined;
  active?: boolean | undefined;
  /** Null clears it. */
  description?: string | null | undefined;
  headers?: { sealed: Buffer | null; names: readonly string[] } | undefined;
}

export interface Subscriber {
  id: string;
  organization_id: string;
  active: boolean;
  failing: boolean;
}

export interface WebhookRef {
  tenantId: string;
  webhookId: string;
}

export type SealedWebhook = Pick<WebhookRow, 'tenant_id' | 'id' | 'secret' | 'headers' | 'previous_secret'>;

export class WebhookStore {
  constructor(private readonly database: Database) {}

  /** The new webhook, or the one of an earlier identical call; null when the tenant has as many as it may. */
  async create(webhook: NewWebhook): Promise<WebhookRow | null> {
    const { tenantId, id, organizationId, url, events, description, secret, headers, headerNames } = webhook;
    const values = [tenantId, id, organizationId, url, events, description, secret, headers, headerNames];
    const [row] = await this.database.transaction(async (transaction) => {
      await transaction.query(lockCreation, [tenantId]);
      return transaction.query<WebhookRow>(insert, values);
    });
    return row ?? this.find(tenantId, id);
  }

  async find(tenantId: string, id: string): Promise<WebhookRow | null> {
    const [row] = await this.database.query<WebhookRow>(find, [tenantId, id]);
    return row ?? null;
  }

  list(tenantId: string): Promise<WebhookRow[]> {
    return this.database.query<WebhookRow>(list, [tenantId]);
  }

  async update(tenantId: string, id: string, changes: WebhookChanges): Promise<WebhookRow | null> {
    const { url, events, active, description, headers } = changes;
    const [row] = await this.database.query<WebhookRow>(update, [
      tenantId,
      id,
      url ?? null,
      events ?? null,
      active ?? null,
      description ?? null,
      description !== undefined,
      headers?.sealed ?? null,
      headers?.names ?? null,
    ]);
    return row ?? null;
  }

  /** False when there is none. What is queued for it is put away by the workers. */
  async remove(tenantId: string, id: string): Promise<boolean> {
    return (await this.database.query(remove, [tenantId, id])).length > 0;
  }

  /** The old secret goes on signing for `graceSeconds`; 0 ends it at once. */
  async rotate(tenantId: string, id: string, secret: Buffer, graceSeconds: number): Promise<WebhookRow | null> {
    const [row] = await this.database.query<WebhookRow>(rotate, [tenantId, id, secret, graceSeconds]);
    return row ?? null;
  }

  /** Sealed columns of the webhooks of all tenants, in the order of their keys, those after `last`. */
  sealed(last: SealedWebhook | null, limit: number): Promise<SealedWebhook[]> {
    return this.database.query<SealedWebhook>(sealed, [last?.tenant_id ?? null, last?.id ?? null, limit]);
  }

  /** False when the webhook was changed since it was read. */
  async reseal(row: SealedWebhook, anew: Omit<SealedWebhook, 'tenant_id' | 'id'>): Promise<boolean> {
    const values = [row.tenant_id, row.id, anew.secret, anew.headers, anew.previous_secret];
    const read = [row.secret, row.headers, row.previous_secret];
    return (await this.database.query(reseal, [...values, ...read])).length > 0;
  }

  /** By tenant, the webhooks that want events of this type, inactive ones too. */
  async subscribed(tenantIds: readonly string[], type: string): Promise<Map<string, Subscriber[]>> {
    const rows = await this.database.query<Subscriber & { tenant_id: string }>(subscribed, [tenantIds, type]);
    const byTenant = new Map<string, Subscriber[]>();
    for (const { tenant_id, ...subscriber } of rows)
      byTenant.set(tenant_id, [...(byTenant.get(tenant_id) ?? []), subscriber]);
    return byTenant;
  }

  /** As they are now; those that are gone are missing. */
  endpoints(webhooks: readonly WebhookRef[]): Promise<WebhookRow[]> {
    const values = [webhooks.map(({ tenantId }) => tenantId), webhooks.map(({ webhookId }) => webhookId)];
    return this.database.query<WebhookRow>(endpoints, values);
  }
}
