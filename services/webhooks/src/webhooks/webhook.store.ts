// Webhooks: changes by their owner, and bulk reads by workers and the fan-out.
import { WEBHOOKS_MAX } from '@kiln/contracts';
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, MoreThan, Repository } from 'typeorm';
import { ReplayEntity } from '../replays/replay.entity.js';
import { earlierSecrets } from './earlier-secrets.domain.js';
import { WebhookEntity } from './webhook.entity.js';

/** A keyset page over the webhooks of all tenants. Leaves out previous secrets that have expired. */
const sealed = statement(
  'webhooks.sealed',
  `select tenant_id, id, secret, headers, earlier_secrets,
     case when previous_secret_expires_at > now() then previous_secret end as previous_secret
   from webhooks where $1::uuid is null or (tenant_id, id) > ($1, $2::uuid) order by tenant_id, id limit $3`,
);
/**
 * Compares and sets. A secret that was replaced since it was read is sealed with the newest key already. Earlier secrets change only with the
 * secret.
 */
const reseal = statement(
  'webhooks.reseal',
  `update webhooks set secret = $3, headers = $4, previous_secret = $5, earlier_secrets = $9::bytea[]
   where tenant_id = $1 and id = $2 and secret = $6 and headers is not distinct from $7
     and (previous_secret is not distinct from $8 or previous_secret_expires_at <= now()) returning 1`,
);

export type NewWebhook = Pick<
  WebhookEntity,
  | 'tenant_id'
  | 'id'
  | 'organization_id'
  | 'url'
  | 'events'
  | 'spaces'
  | 'description'
  | 'secret'
  | 'headers'
  | 'header_names'
>;

/** Undefined fields stay unchanged. */
export type WebhookChanges = {
  [Column in 'url' | 'events' | 'spaces' | 'active' | 'description' | 'headers' | 'header_names']?:
    | WebhookEntity[Column]
    | undefined;
};

export interface Subscriber {
  id: string;
  organization_id: string;
  /** Types of events, or `*`. */
  events: readonly string[];
  /** The spaces whose events it receives. Null: all events. */
  spaces: readonly string[] | null;
  active: boolean;
}

export interface WebhookRef {
  tenantId: string;
  webhookId: string;
}

export type SealedWebhook = Pick<
  WebhookEntity,
  'tenant_id' | 'id' | 'secret' | 'headers' | 'previous_secret' | 'earlier_secrets'
>;

/** Each of them adds a signature to every delivery. */
const EARLIER_SECRETS_MAX = 10;
/** A webhook that gets a new chance starts without its earlier failures. */
const HEALTHY = { failing_since: null, failing_daily_since: null, last_failed_at: null, last_error: null };
const CHANGED = { version: () => 'version + 1', updated_at: () => 'now()' };

@Injectable()
export class WebhookStore {
  constructor(
    private readonly database: Database,
    @InjectRepository(WebhookEntity) private readonly webhooks: Repository<WebhookEntity>,
  ) {}

  /** Returns the new webhook, or the one that an earlier identical call created. Null when the tenant has the maximum number. */
  create(webhook: NewWebhook): Promise<WebhookEntity | null> {
    const { tenant_id, id } = webhook;
    return this.database.transaction(async (transaction) => {
      // One creation at a time for each tenant, so that each counts the webhooks before it.
      await transaction.lock(`webhooks ${tenant_id}`);
      const webhooks = transaction.manager.getRepository(WebhookEntity);
      const earlier = await webhooks.findOneBy({ tenant_id, id });
      if (earlier) return earlier;
      if ((await webhooks.countBy({ tenant_id })) >= WEBHOOKS_MAX) return null;
      await webhooks.insert(webhook);
      return webhooks.findOneBy({ tenant_id, id });
    });
  }

  find(tenantId: string, id: string): Promise<WebhookEntity | null> {
    return this.webhooks.findOneBy({ tenant_id: tenantId, id });
  }

  /** Oldest first: ids begin with the time. */
  list(tenantId: string, { after, limit }: { after: string | undefined; limit: number }): Promise<WebhookEntity[]> {
    const where = { tenant_id: tenantId, ...(after !== undefined && { id: MoreThan(after) }) };
    return this.webhooks.find({ where, order: { id: 'ASC' }, take: limit });
  }

  /** A webhook that is enabled or gets a new URL starts without its earlier failures. Null when the webhook does not exist. */
  update(tenantId: string, id: string, changes: WebhookChanges): Promise<WebhookEntity | null> {
    const key = { tenant_id: tenantId, id };
    return this.database.transaction(async ({ manager }) => {
      const webhooks = manager.getRepository(WebhookEntity);
      const webhook = await webhooks.findOne({ where: key, lock: { mode: 'pessimistic_write' } });
      if (!webhook) return null;
      const isLedElsewhere = changes.url !== undefined && changes.url !== webhook.url;
      await webhooks.update(key, {
        ...changes,
        ...(changes.active !== undefined && { disabled_reason: null }),
        ...((changes.active === true || isLedElsewhere) && HEALTHY),
        ...CHANGED,
      });
      return webhooks.findOneBy(key);
    });
  }

  /** Returns false when the webhook does not exist. The workers delete its queued deliveries. */
  remove(tenantId: string, id: string): Promise<boolean> {
    return this.database.transaction(async ({ manager }) => {
      const { affected } = await manager.delete(WebhookEntity, { tenant_id: tenantId, id });
      await manager.delete(ReplayEntity, { tenant_id: tenantId, webhook_id: id });
      return affected === 1;
    });
  }

  /**
   * The old secret also signs for `graceSeconds`, and those before it until their own ends. 0 ends them all at once. Null when the webhook does
   * not exist; `full` when the maximum number of earlier secrets still sign.
   */
  rotate(tenantId: string, id: string, secret: Buffer, graceSeconds: number): Promise<WebhookEntity | 'full' | null> {
    const key = { tenant_id: tenantId, id };
    return this.database.transaction(async ({ manager }) => {
      const webhooks = manager.getRepository(WebhookEntity);
      const webhook = await webhooks.findOne({ where: key, lock: { mode: 'pessimistic_write' } });
      if (!webhook) return null;
      const isKept = graceSeconds > 0;
      const earlier = isKept ? earlierSecrets(webhook, Date.now()) : [];
      if (earlier.length >= EARLIER_SECRETS_MAX) return 'full';
      await webhooks.update(key, {
        secret,
        previous_secret: isKept ? webhook.secret : null,
        previous_secret_expires_at: isKept ? () => `now() + make_interval(secs => ${graceSeconds})` : null,
        earlier_secrets: earlier.map((one) => one.secret),
        earlier_secrets_expire_at: earlier.map((one) => one.expiresAt),
        ...CHANGED,
      });
      return webhooks.findOneBy(key);
    });
  }

  /** A page of the sealed columns of all tenants' webhooks, in the order of their keys, after `last`. */
  sealed(last: SealedWebhook | null, limit: number): Promise<SealedWebhook[]> {
    return this.database.query<SealedWebhook>(sealed, [last?.tenant_id ?? null, last?.id ?? null, limit]);
  }

  /** Returns false when the webhook has changed since it was read. */
  async reseal(row: SealedWebhook, anew: Omit<SealedWebhook, 'tenant_id' | 'id'>): Promise<boolean> {
    const values = [row.tenant_id, row.id, anew.secret, anew.headers, anew.previous_secret];
    const read = [row.secret, row.headers, row.previous_secret];
    return (await this.database.query(reseal, [...values, ...read, anew.earlier_secrets])).length > 0;
  }

  /** Returns all webhooks of each tenant, inactive ones too. */
  async subscribed(tenantIds: readonly string[]): Promise<Map<string, Subscriber[]>> {
    const rows = await this.webhooks.find({
      select: { tenant_id: true, id: true, organization_id: true, events: true, spaces: true, active: true },
      where: { tenant_id: In([...tenantIds]) },
      order: { tenant_id: 'ASC', id: 'ASC' },
    });
    const byTenant = new Map<string, Subscriber[]>();
    for (const { tenant_id, ...subscriber } of rows)
      byTenant.set(tenant_id, [...(byTenant.get(tenant_id) ?? []), subscriber]);
    return byTenant;
  }

  /** Returns the current rows. Deleted webhooks are missing. */
  endpoints(webhooks: readonly WebhookRef[]): Promise<WebhookEntity[]> {
    return this.webhooks.findBy(webhooks.map(({ tenantId, webhookId }) => ({ tenant_id: tenantId, id: webhookId })));
  }
}
