// Portal tokens in the gateway's schema. The database's clock decides when a token expires.
import { encodeId, uuidOf, type KeyMode } from '@kiln/contracts';
import { statement, type Database } from '@kiln/platform';
import { Raw, type Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { KeyCaller, PortalCaller } from '../auth/caller.domain.js';
import type { Plan } from '../organizations/plan.domain.js';
import type { PortalTokenFingerprint } from './portal-token.domain.js';
import { PortalTokenEntity } from './portal-token.entity.js';

const SWEEP_ROWS_MAX = 1_000;

/** A token never expires later than its key, so only a revocation of the key has to be looked up. */
const VALID = `left join api_keys k on k.id = t.key_id where k.revoked_at is null and t.expires_at > now()`;

// Hot: each request with a portal token reads it. The gateway never caches it, so that every replica refuses a revoked or expired
// token at once.
const findLive = statement(
  'gateway.find_live_portal_token',
  `select t.id, t.organization_id, t.tenant_id, t.space, t.expires_at, o.plan,
          case t.tenant_id when o.live_tenant_id then 'live' else 'test' end as mode
   from portal_tokens t join organizations o on o.id = t.organization_id ${VALID} and t.hash = $1`,
);

// A keyset page. Ids are UUIDv7, so their order is that of creation.
const listLive = statement(
  'gateway.list_portal_tokens',
  `select t.id, t.prefix, t.space, t.created_at, t.expires_at, t.key_id from portal_tokens t ${VALID}
     and t.tenant_id = $1 and ($2::uuid is null or t.id < $2)
   order by t.id desc limit $3`,
);

/** Set-based. */
const deleteExpired = statement(
  'gateway.delete_expired_portal_tokens',
  `delete from portal_tokens where id in (
     select id from portal_tokens where expires_at <= now() limit $1 for update skip locked) returning id`,
);

type LiveToken = Pick<PortalTokenEntity, 'id' | 'organization_id' | 'tenant_id' | 'space' | 'expires_at'> & {
  mode: KeyMode;
  plan: Plan;
};

export interface NewPortalToken extends PortalTokenFingerprint {
  space: string;
  ttlSeconds: number;
}

/** A token without its hash; the ids are TypeIDs. */
export type PortalToken = Pick<PortalTokenEntity, 'id' | 'prefix' | 'space' | 'created_at' | 'expires_at' | 'key_id'>;

export class PortalTokenStore {
  private readonly tokens: Repository<PortalTokenEntity>;

  constructor(private readonly database: Pick<Database, 'dataSource' | 'query'>) {
    this.tokens = database.dataSource.getRepository(PortalTokenEntity);
  }

  /** Returns when the token expires: at the latest when its key does. */
  async create(caller: KeyCaller, { ttlSeconds, ...token }: NewPortalToken): Promise<Date> {
    const organization_id = uuidOf('organization', caller.organizationId);
    const { raw } = await this.tokens
      .createQueryBuilder()
      .insert()
      .values({
        id: uuidv7(),
        organization_id,
        tenant_id: caller.tenantId,
        key_id: caller.authType === 'api_key' ? uuidOf('key', caller.principal) : null,
        ...token,
        expires_at: () => 'least(now() + make_interval(secs => :ttlSeconds), :keyExpiresAt::timestamptz)',
      })
      .setParameters({ ttlSeconds, keyExpiresAt: caller.expiresAt })
      .returning('expires_at')
      .execute();
    const [row] = raw as Pick<PortalTokenEntity, 'expires_at'>[];
    if (!row) throw new Error('the insert returned no row');
    return row.expires_at;
  }

  /** Null when the token is unknown, revoked or expired. */
  async find(hash: Buffer): Promise<{ caller: PortalCaller; expiresAt: Date } | null> {
    const [row] = await this.database.query<LiveToken>(findLive, [hash]);
    return row ? { caller: callerOf(row), expiresAt: row.expires_at } : null;
  }

  /** Lists valid tokens, the newest first. With `afterId`, the page starts after that token. */
  async list(tenantId: string, page: { limit: number; afterId: string | null }): Promise<PortalToken[]> {
    const afterUuid = page.afterId === null ? null : uuidOf('portalToken', page.afterId);
    const rows = await this.database.query<PortalToken>(listLive, [tenantId, afterUuid, page.limit]);
    return rows.map((row) => ({
      ...row,
      id: encodeId('portalToken', row.id),
      key_id: row.key_id && encodeId('key', row.key_id),
    }));
  }

  /** Returns false when the tenant has no such token, or it has expired. */
  async revoke(tenantId: string, token: PortalTokenFingerprint | { prefix: string }): Promise<boolean> {
    const expires_at = Raw((column) => `${column} > now()`);
    const { affected } = await this.tokens.delete({ ...token, tenant_id: tenantId, expires_at });
    return affected === 1;
  }

  async deleteExpired(): Promise<void> {
    for (;;) {
      const deleted = await this.database.query(deleteExpired, [SWEEP_ROWS_MAX]);
      if (deleted.length < SWEEP_ROWS_MAX) return;
    }
  }
}

const callerOf = ({ id, organization_id, tenant_id, space, mode, plan }: LiveToken): PortalCaller => ({
  authType: 'portal_token',
  principal: encodeId('portalToken', id),
  organizationId: encodeId('organization', organization_id),
  tenantId: tenant_id,
  space,
  mode,
  plan,
});
