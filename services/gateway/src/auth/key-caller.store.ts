// Finds the organization, mode and scopes of an API key.
import { statement, type Queryable } from '@kiln/platform';
import { callerOf, type KeyCaller, type KeyRow } from './caller.domain.js';

// Hot: each request whose key is not cached reads it. The gateway may cache the result for a moment, because it asks Redis for
// revocations on every request.
const findLive = statement(
  'gateway.find_live_key',
  `select k.id, k.name, k.scopes, k.mode, k.organization_id, k.expires_at, o.plan,
          (extract(epoch from k.expires_at - now()) * 1000)::float8 as valid_ms,
          case k.mode when 'live' then o.live_tenant_id else o.test_tenant_id end as tenant_id, o.live_tenant_id
   from api_keys k join organizations o on o.id = k.organization_id
   where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
);

export class KeyCallerStore {
  constructor(private readonly database: Queryable) {}

  /**
   * Returns the caller, and for how long the key stays valid (null: without end). Returns null when the key is unknown, revoked
   * or expired.
   */
  async findCaller(hash: Buffer): Promise<{ value: KeyCaller; validMs: number | null } | null> {
    const [row] = await this.database.query<KeyRow & { valid_ms: number | null }>(findLive, [hash]);
    return row ? { value: callerOf(row), validMs: row.valid_ms } : null;
  }
}
