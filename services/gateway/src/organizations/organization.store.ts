// Organizations in the gateway's schema.
import { encodeId, testTenantOf, uuidOf, type KeyMode } from '@kiln/contracts';
import type { Database } from '@kiln/platform';
import type { Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { OrganizationEntity } from './organization.entity.js';
import type { Plan } from './plan.domain.js';

export interface Organization {
  id: string;
  name: string;
  plan: Plan;
  createdAt: Date;
}

/** The tenants (uuids) of an organization, and its plan. */
export interface Tenants extends Record<KeyMode, string> {
  plan: Plan;
}

/** Makes a row with new ids, for two empty tenants. */
export function newOrganization(name: string, plan: Plan) {
  const live_tenant_id = uuidv7();
  return { id: uuidv7(), name, plan, live_tenant_id, test_tenant_id: testTenantOf(live_tenant_id) };
}

const organizationOf = ({ id, name, plan, created_at: createdAt }: OrganizationEntity): Organization => ({
  id: encodeId('organization', id),
  name,
  plan,
  createdAt,
});

/** Ids are TypeIDs that have been checked. */
export class OrganizationStore {
  private readonly organizations: Repository<OrganizationEntity>;

  constructor({ dataSource }: Pick<Database, 'dataSource'>) {
    this.organizations = dataSource.getRepository(OrganizationEntity);
  }

  /** The new organization has no key. */
  async create(name: string, plan: Plan): Promise<Organization> {
    const organization = this.organizations.create(newOrganization(name, plan));
    await this.organizations.insert(organization);
    return organizationOf(organization);
  }

  /** Lists the oldest organization first. */
  async list(): Promise<Organization[]> {
    return (await this.organizations.find({ order: { created_at: 'ASC', id: 'ASC' } })).map(organizationOf);
  }

  /** Null when the organization does not exist. */
  async setPlan(organizationId: string, plan: Plan): Promise<Organization | null> {
    const id = uuidOf('organization', organizationId);
    await this.organizations.update({ id }, { plan });
    const organization = await this.organizations.findOneBy({ id });
    return organization && organizationOf(organization);
  }

  /** Null when the organization does not exist. */
  async findTenants(organizationId: string): Promise<Tenants | null> {
    const found = await this.organizations.findOneBy({ id: uuidOf('organization', organizationId) });
    return found && { live: found.live_tenant_id, test: found.test_tenant_id, plan: found.plan };
  }
}
