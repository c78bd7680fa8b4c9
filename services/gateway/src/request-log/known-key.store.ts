// The owners of keys by hash, including keys that are revoked or expired: refused requests are logged under their owner.
import type { LoggedRequest } from '@kiln/contracts';
import { statement, type Database } from '@kiln/platform';

export interface Requester {
  tenantId: string;
  authType: LoggedRequest['auth_type'];
  keyName: string;
}

export interface KnownKey {
  hash: Buffer;
  requester: Requester;
}

/** Set-based: all refused keys since the last flush. */
const findKnown = statement(
  'gateway.find_known_keys',
  `select k.hash, k.name, case k.mode when 'live' then o.live_tenant_id else o.test_tenant_id end as tenant_id
   from api_keys k join organizations o on o.id = k.organization_id where k.hash = any($1::bytea[])`,
);

export class KnownKeyStore {
  constructor(private readonly database: Database) {}

  async find(hashes: Buffer[]): Promise<KnownKey[]> {
    const rows = await this.database.query<{ hash: Buffer; name: string; tenant_id: string }>(findKnown, [hashes]);
    return rows.map(({ hash, name, tenant_id }) => ({
      hash,
      requester: { tenantId: tenant_id, authType: 'api_key', keyName: name },
    }));
  }
}
