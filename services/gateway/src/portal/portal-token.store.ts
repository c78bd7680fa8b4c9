// Portal tokens in the gateway's schema. A revoked token is gone; an expired one counts for nothing until the sweep takes it.
import { encodeId, uuidOf, type KeyMode } from '@kiln/contracts';
import { statement, type Queryable } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import type { KeyCaller, PortalCaller } from '../auth/caller.js';
import type { Plan } from '../organizations/plan.js';

const SWEEP_ROWS_MAX = 1_000;

const insertToken = statement(
  'gateway.insert_portal_token',
  `insert into portal_tokens (id, organization_id, tenant_id, space, hash, expires_at)
   values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6)) returning expires_at`,
);

// Asked anew for every request: a revoked or expired token stops working at once, on every replica.
const findLive = statement(
  'gateway.find_live_portal_token',
  `select t.id, t.organization_id, t.tenant_id, t.space, t.expires_at, o.plan,
          case t.tenant_id when o.live_tenant_id then 'live' else 'test' end as mode
   from portal_tokens t join organizations o on o.id = t.organization_id
   where t.hash = $1 and t.expires_at > now()`,
);

const deleteToken = statement(
  'gateway.delete_portal_token',
  'delete from portal_tokens where hash = $1 and tenant_id = $2 and expires_at > now() returning id',
);

const deleteExpired = statement(
  'gateway.delete_expired_portal_tokens',
  `delete from portal_tokens where id in (
     select id from portal_tokens where expires_at <= now() limit $1 for update skip locked) returning id`,
);

interface TokenRow {
  id: string;
  organization_id: string;
  tenant_id: string;
  space: string;
  expires_at: Date;
  mode: KeyMode;
  plan: Plan;
}

export interface NewPortalToken {
  hash: Buffer;
  space: string;
  ttlSeconds: number;
}

export class PortalTokenStore {
  constructor(private readonly database: Queryable) {}

  /** Answers when it expires, by the database's clock, which is the one that will judge it. */
  async create(caller: KeyCaller, { hash, space, ttlSeconds }: NewPortalToken): Promise<Date> {
    const organization = uuidOf('organization', caller.organizationId);
    const values = [uuidv7(), organization, caller.tenantId, space, hash, ttlSeconds];
    const [row] = await this.database.query<{ expires_at: Date }>(insertToken, values);
    if (!row) throw new Error('the insert answered no row');
    return row.expires_at;
  }

  /** Null when it is unknown, revoked or expired. */
  async find(hash: Buffer): Promise<{ space: string; expiresAt: Date } | null> {
    const [row] = await this.database.query<TokenRow>(findLive, [hash]);
    return row ? { space: row.space, expiresAt: row.expires_at } : null;
  }

  async findCaller(hash: Buffer): Promise<PortalCaller | null> {
    const [row] = await this.database.query<TokenRow>(findLive, [hash]);
    if (!row) return null;
    return {
      authType: 'portal_token',
      principal: encodeId('portalToken', row.id),
      organizationId: encodeId('organization', row.organization_id),
      tenantId: row.tenant_id,
      space: row.space,
      mode: row.mode,
      plan: row.plan,
    };
  }

  /** False when the tenant has no such live token. */
  async revoke(tenantId: string, hash: Buffer): Promise<boolean> {
    return (await this.database.query(deleteToken, [hash, tenantId])).length > 0;
  }

  async deleteExpired(): Promise<void> {
    for (;;) {
      const deleted = await this.database.query(deleteExpired, [SWEEP_ROWS_MAX]);
      if (deleted.length < SWEEP_ROWS_MAX) return;
    }
  }
}
