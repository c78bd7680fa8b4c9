// Finds whose an API key is.
import { encodeId, type KeyMode, type Scope } from '@kiln/contracts';
import { statement, type Queryable } from '@kiln/platform';
import type { Plan } from '../organizations/plan.domain.js';
import type { KeyCaller, Requester } from './caller.domain.js';

/** The tenant whose data a key sees, of the tables that FROM joins. */
const TENANT = `case k.mode when 'live' then o.live_tenant_id else o.test_tenant_id end as tenant_id`;
const FROM = `from api_keys k join organizations o on o.id = k.organization_id`;

// Hot: each request whose key is not cached reads it. The gateway may cache the result for a moment, because it asks Redis for
// revocations on every request.
const findLive = statement(
  'gateway.find_live_key',
  `select k.id, k.name, k.scopes, k.mode, k.organization_id, k.expires_at, o.plan, ${TENANT}, o.live_tenant_id,
          (extract(epoch from k.expires_at - now()) * 1000)::float8 as valid_ms
   ${FROM} where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
);

/** Set-based: all refused keys since the last flush of the request log. */
const findKnown = statement(
  'gateway.find_known_keys',
  `select k.hash, k.name, ${TENANT} ${FROM} where k.hash = any($1::bytea[])`,
);

interface KeyRow {
  id: string;
  name: string;
  scopes: Scope[];
  mode: KeyMode;
  plan: Plan;
  organization_id: string;
  tenant_id: string;
  live_tenant_id: string;
  expires_at: Date | null;
  valid_ms: number | null;
}

export class KeyCallerStore {
  constructor(private readonly database: Queryable) {}

  /**
   * Returns the caller, and for how long the key stays valid (null: without end). Returns null when the key is unknown, revoked
   * or expired.
   */
  async findCaller(hash: Buffer): Promise<{ value: KeyCaller; validMs: number | null } | null> {
    const [row] = await this.database.query<KeyRow>(findLive, [hash]);
    return row ? { value: callerOf(row), validMs: row.valid_ms } : null;
  }

  /** Finds keys by their hashes, including keys that are revoked or expired. */
  async findKnown(hashes: Buffer[]): Promise<{ hash: Buffer; requester: Requester }[]> {
    const rows = await this.database.query<Pick<KeyRow, 'name' | 'tenant_id'> & { hash: Buffer }>(findKnown, [hashes]);
    return rows.map(({ hash, name: keyName, tenant_id: tenantId }) => ({
      hash,
      requester: { tenantId, authType: 'api_key', keyName },
    }));
  }
}

const callerOf = (row: KeyRow): KeyCaller => ({
  authType: 'api_key',
  principal: encodeId('key', row.id),
  keyName: row.name,
  organizationId: encodeId('organization', row.organization_id),
  tenantId: row.tenant_id,
  liveTenantId: row.live_tenant_id,
  scopes: row.scopes,
  expiresAt: row.expires_at,
  mode: row.mode,
  plan: row.plan,
});
