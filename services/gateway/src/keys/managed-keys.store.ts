// An organization's keys as it sees and manages them. A revoked key stays in the table and is nowhere shown.
import { encodeId, uuidOf, type KeyMode, type Scope } from '@kiln/contracts';
import { statement, type Queryable } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import type { KeyFingerprint } from '../auth/api-key.js';

export interface ManagedKey {
  id: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  mode: KeyMode;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
}

export interface NewKey {
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
}

const COLUMNS = 'id, name, prefix, scopes, mode, expires_at, last_used_at, created_at';

const insertKey = statement(
  'gateway.create_key',
  `insert into api_keys (id, organization_id, name, hash, prefix, scopes, mode, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
);

const listKeys = statement(
  'gateway.list_keys',
  `select ${COLUMNS} from api_keys where organization_id = $1 and revoked_at is null
   order by created_at desc, id desc limit $2`,
);

// The row after which the page starts may have been revoked meanwhile; its place in the order stays.
const listKeysAfter = statement(
  'gateway.list_keys_after',
  `select ${COLUMNS} from api_keys where organization_id = $1 and revoked_at is null
     and (created_at, id) < (select created_at, id from api_keys where organization_id = $1 and id = $3)
   order by created_at desc, id desc limit $2`,
);

const findKey = statement(
  'gateway.find_key',
  `select ${COLUMNS} from api_keys where organization_id = $1 and id = $2 and revoked_at is null`,
);

const revokeKey = statement(
  'gateway.revoke_key',
  `update api_keys set revoked_at = now() where organization_id = $1 and id = $2 and revoked_at is null returning id`,
);

interface ManagedKeyRow {
  id: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  mode: KeyMode;
  expires_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
}

const managedKeyOf = (row: ManagedKeyRow): ManagedKey => ({
  id: encodeId('key', row.id),
  name: row.name,
  prefix: row.prefix,
  scopes: row.scopes,
  mode: row.mode,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  createdAt: row.created_at,
});

/** Ids of organizations and keys are TypeIDs that have been checked. */
export class ManagedKeysStore {
  constructor(private readonly database: Queryable) {}

  async create(organizationId: string, fingerprint: KeyFingerprint, key: NewKey): Promise<ManagedKey> {
    const { hash, prefix, mode } = fingerprint;
    const organization = uuidOf('organization', organizationId);
    const values = [uuidv7(), organization, key.name, hash, prefix, key.scopes, mode, key.expiresAt];
    const [row] = await this.database.query<ManagedKeyRow>(insertKey, values);
    if (!row) throw new Error('the insert answered no row');
    return managedKeyOf(row);
  }

  /** Newest first, expired ones too; from after the key with this id when it is given. */
  async list(organizationId: string, page: { limit: number; afterId: string | null }): Promise<ManagedKey[]> {
    const values = [uuidOf('organization', organizationId), page.limit];
    const rows = await (page.afterId === null
      ? this.database.query<ManagedKeyRow>(listKeys, values)
      : this.database.query<ManagedKeyRow>(listKeysAfter, [...values, uuidOf('key', page.afterId)]));
    return rows.map(managedKeyOf);
  }

  /** Null when the organization has no such key, or has revoked it. */
  async find(organizationId: string, id: string): Promise<ManagedKey | null> {
    const values = [uuidOf('organization', organizationId), uuidOf('key', id)];
    const [row] = await this.database.query<ManagedKeyRow>(findKey, values);
    return row ? managedKeyOf(row) : null;
  }

  /** False when the organization has no such key, or has revoked it before. */
  async revoke(organizationId: string, id: string): Promise<boolean> {
    const values = [uuidOf('organization', organizationId), uuidOf('key', id)];
    return (await this.database.query(revokeKey, values)).length > 0;
  }
}
