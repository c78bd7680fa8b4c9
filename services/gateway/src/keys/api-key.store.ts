// The keys of an organization, as it manages them. A revoked key stays in the table for a while, but no method here returns it.
import { conflict, encodeId, uuidOf, type CodedError, type Scope } from '@kiln/contracts';
import { statement, type Database } from '@kiln/platform';
import { IsNull, LessThan, Not, Raw, type Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { OrganizationEntity } from '../organizations/organization.entity.js';
import { ApiKeyEntity } from './api-key.entity.js';
import type { KeyFingerprint } from './api-key.domain.js';

/** The most keys of an organization that are neither revoked nor expired. */
export const KEYS_MAX = 500;

/** An ended key is kept longer than the entries of the request log, which name it for 7 days. */
const ENDED_KEPT_DAYS = 30;
const SWEEP_ROWS_MAX = 1_000;

/** Set-based. */
const deleteEnded = statement(
  'gateway.delete_ended_keys',
  `delete from api_keys where id in (
     select id from api_keys where not of_operator and least(revoked_at, expires_at) < now() - make_interval(days => $1)
     limit $2 for update skip locked) returning id`,
);

/** A key without its hash and its owner; the id is a TypeID. */
export type ApiKey = Pick<
  ApiKeyEntity,
  'id' | 'name' | 'prefix' | 'scopes' | 'mode' | 'expires_at' | 'last_used_at' | 'created_at'
>;

export interface NewApiKey {
  /** A UUIDv7 that the request has chosen. Default: a new UUIDv7. */
  id?: string;
  name: string;
  scopes: readonly Scope[];
  expires_at: Date | null;
}

const keyOf = ({ id, name, prefix, scopes, mode, expires_at, last_used_at, created_at }: ApiKey): ApiKey => ({
  id: encodeId('key', id),
  name,
  prefix,
  scopes,
  mode,
  expires_at,
  last_used_at,
  created_at,
});

const keyIn = (organizationId: string, id: string) => ({
  organization_id: uuidOf('organization', organizationId),
  id: uuidOf('key', id),
  revoked_at: IsNull(),
});

const tooManyKeys = (): CodedError =>
  conflict(`The organization has ${KEYS_MAX} keys, which is the most there can be. Revoke one that is not used.`);

const revokedMeanwhile = (): CodedError =>
  conflict('This Idempotency-Key has made a key that was revoked since. Use a new Idempotency-Key.');

/** Ids of organizations and keys are TypeIDs that have been checked. */
export class ApiKeyStore {
  private readonly keys: Repository<ApiKeyEntity>;

  constructor(private readonly database: Pick<Database, 'dataSource' | 'query' | 'transaction'>) {
    this.keys = database.dataSource.getRepository(ApiKeyEntity);
  }

  /**
   * Creates a key. If an earlier attempt has made the key of this id, the key gets the new value, because the caller never saw
   * the first one. Throws CONFLICT when that key was revoked, or when the organization has KEYS_MAX keys.
   */
  async create(organizationId: string, fingerprint: KeyFingerprint, key: NewApiKey): Promise<ApiKey> {
    const organization_id = uuidOf('organization', organizationId);
    const { id = uuidv7(), ...rest } = key;
    const values = { ...fingerprint, ...rest, scopes: [...key.scopes], last_used_at: null };
    return this.database.transaction(async ({ manager }) => {
      // Keys of one organization are created one after the other, so that two requests cannot both take the last place.
      const where = { id: organization_id };
      await manager.findOne(OrganizationEntity, { where, lock: { mode: 'for_no_key_update' } });
      const keys = manager.getRepository(ApiKeyEntity);
      const earlier = await keys.findOneBy({ id, organization_id });
      if (earlier?.revoked_at) throw revokedMeanwhile();
      const others = { organization_id, id: Not(id), revoked_at: IsNull() };
      const isAhead = Raw((column) => `${column} > now()`);
      const count = await keys.countBy([
        { ...others, expires_at: IsNull() },
        { ...others, expires_at: isAhead },
      ]);
      if (count >= KEYS_MAX) throw tooManyKeys();
      const created = earlier ?? keys.create({ id, organization_id });
      return keyOf(await keys.save(Object.assign(created, values)));
    });
  }

  /** Lists the newest key first, including expired keys. With `afterId`, the page starts after that key. */
  async list(organizationId: string, page: { limit: number; afterId: string | null }): Promise<ApiKey[]> {
    // Ids are UUIDv7, so their order is that of creation. The key after which a page starts may be gone.
    const isAfter = page.afterId !== null && { id: LessThan(uuidOf('key', page.afterId)) };
    const where = { organization_id: uuidOf('organization', organizationId), revoked_at: IsNull(), ...isAfter };
    const rows = await this.keys.find({ where, order: { id: 'DESC' }, take: page.limit });
    return rows.map(keyOf);
  }

  /** Returns null when the organization has no such key, or has revoked it. */
  async find(organizationId: string, id: string): Promise<ApiKey | null> {
    const key = await this.keys.findOneBy(keyIn(organizationId, id));
    return key && keyOf(key);
  }

  /** Returns false when the organization has no such key, or has already revoked it. */
  async revoke(organizationId: string, id: string): Promise<boolean> {
    const { affected } = await this.keys.update(keyIn(organizationId, id), { revoked_at: () => 'now()' });
    return affected === 1;
  }

  /** Deletes keys that were revoked or expired long ago. */
  async deleteEnded(): Promise<void> {
    for (;;) {
      const deleted = await this.database.query(deleteEnded, [ENDED_KEPT_DAYS, SWEEP_ROWS_MAX]);
      if (deleted.length < SWEEP_ROWS_MAX) return;
    }
  }
}
