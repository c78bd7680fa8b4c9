// The first key of an installation, which its operator sets as KILN_API_KEY.
import { statement, type Database } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { OrganizationEntity } from '../organizations/organization.entity.js';
import { newOrganization } from '../organizations/organization.store.js';
import type { Plan } from '../organizations/plan.domain.js';
import { ApiKeyEntity } from './api-key.entity.js';
import type { KeyFingerprint } from './api-key.domain.js';

/** An arbitrary constant: "kilg" in ASCII. */
const FIRST_KEY_LOCK = 0x6b696c67;
const lockFirstKey = statement('gateway.lock_first_key', 'select pg_advisory_xact_lock($1)');

/** Creates the first organization and this key if they do not exist. Gateways that start at the same time wait for each other. */
export async function ensureFirstKey(database: Database, key: KeyFingerprint, plan: Plan): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query(lockFirstKey, [FIRST_KEY_LOCK]);
    const organizations = transaction.manager.getRepository(OrganizationEntity);
    const [existing] = await organizations.find({
      select: { id: true },
      order: { created_at: 'ASC', id: 'ASC' },
      take: 1,
    });
    const organization = existing ?? newOrganization('Default', plan);
    if (!existing) await organizations.insert(organization);
    const { hash, prefix, mode } = key;
    const about = { id: uuidv7(), organization_id: organization.id, name: 'bootstrap', scopes: ['*' as const] };
    const keys = transaction.manager.getRepository(ApiKeyEntity);
    await keys
      .createQueryBuilder()
      .insert()
      .values({ ...about, hash, prefix, mode, of_operator: true })
      .orIgnore()
      .execute();
  });
}
