// Keys and organizations in the gateway's schema.
import { testTenantOf } from '@kiln/contracts';
import { statement, type Database } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import type { KeyFingerprint } from './api-key.js';
import { callerOf, type KeyCaller, type KeyRow } from './caller.js';

// What it answers may be remembered for a moment; whoever does must ask Redis whether the key was revoked meanwhile.
const findLive = statement(
  'gateway.find_live_key',
  `select k.id, k.name, k.scopes, k.mode, k.organization_id, o.plan,
          (extract(epoch from k.expires_at - now()) * 1000)::float8 as valid_ms,
          case k.mode when 'live' then o.live_tenant_id else o.test_tenant_id end as tenant_id, o.live_tenant_id
   from api_keys k join organizations o on o.id = k.organization_id
   where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
);

/** Any constant serves; this one is "kilg" in ASCII. */
const BOOTSTRAP_LOCK = 0x6b696c67;
const lockBootstrap = statement('gateway.lock_bootstrap', 'select pg_advisory_xact_lock($1)');

const findFirstOrganization = statement(
  'gateway.find_first_organization',
  'select id from organizations order by created_at, id limit 1',
);

const insertOrganization = statement(
  'gateway.insert_organization',
  'insert into organizations (id, name, plan, live_tenant_id, test_tenant_id) values ($1, $2, $3, $4, $5)',
);

const insertKey = statement(
  'gateway.insert_key',
  `insert into api_keys (id, organization_id, name, hash, prefix, scopes, mode)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict (hash) do nothing`,
);

// Rows are locked in one order, so that replicas that write at once wait for each other instead of deadlocking.
const saveUses = statement(
  'gateway.save_key_uses',
  `with used as materialized (
     select k.id, use.at from unnest($1::uuid[], $2::timestamptz[]) as use (id, at) join api_keys k on k.id = use.id
     order by k.id for no key update of k)
   update api_keys k set last_used_at = greatest(k.last_used_at, used.at) from used where k.id = used.id`,
);

export interface KeyUse {
  keyUuid: string;
  usedAt: Date;
}

export class ApiKeyStore {
  constructor(private readonly database: Database) {}

  /** Whom the key with this hash stands for, and for how long at most; null when it is unknown, revoked or expired. */
  async findCaller(hash: Buffer): Promise<{ value: KeyCaller; validMs: number | null } | null> {
    const [row] = await this.database.query<KeyRow & { valid_ms: number | null }>(findLive, [hash]);
    return row ? { value: callerOf(row), validMs: row.valid_ms } : null;
  }

  /** A later use that is already written stays. */
  async saveUses(uses: readonly KeyUse[]): Promise<void> {
    await this.database.query(saveUses, [uses.map(({ keyUuid }) => keyUuid), uses.map(({ usedAt }) => usedAt)]);
  }

  /** Makes sure that the first organization and this key exist. Gateways that start at once take turns. */
  async ensureFirstKey(fingerprint: KeyFingerprint, plan: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await transaction.query(lockBootstrap, [BOOTSTRAP_LOCK]);
      const [existing] = await transaction.query<{ id: string }>(findFirstOrganization);
      const organizationId = existing?.id ?? uuidv7();
      if (!existing) {
        const liveTenantId = uuidv7();
        const tenantIds = [liveTenantId, testTenantOf(liveTenantId)];
        await transaction.query(insertOrganization, [organizationId, 'Default', plan, ...tenantIds]);
      }
      const { hash, prefix, mode } = fingerprint;
      await transaction.query(insertKey, [uuidv7(), organizationId, 'bootstrap', hash, prefix, ['*'], mode]);
    });
  }
}
