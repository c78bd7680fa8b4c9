// The first key of an installation, which its operator sets as KILN_API_KEY.
import type { Database } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { OrganizationEntity } from '../organizations/organization.entity.js';
import { newOrganization } from '../organizations/organization.store.js';
import type { Plan } from '../organizations/plan.domain.js';
import { ApiKeyEntity } from './api-key.entity.js';
import type { KeyFingerprint } from './api-key.domain.js';

/** Creates the first organization and this key if they do not exist. Gateways that start at the same time wait for each other. */
export async function ensureFirstKey(database: Database, key: KeyFingerprint, plan: Plan): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.lock('gateway.first_key');
    const organizations = transaction.manager.getRepository(OrganizationEntity);
    const [existing] = await organizations.find({
      select: { id: true },
      order: { created_at: 'ASC', id: 'ASC' },
      take: 1,
    });
    const organization = existing ?? newOrganization('Default', plan);
    if (!existing) await organizations.insert(organization);
    const about = { id: uuidv7(), organization_id: organization.id, name: 'bootstrap', scopes: ['*' as const] };
    const keys = transaction.manager.getRepository(ApiKeyEntity);
    await keys
      .createQueryBuilder()
      .insert()
      .values({ ...about, ...key, of_operator: true })
      .orIgnore()
      .execute();
  });
}
