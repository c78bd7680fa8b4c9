// Organizations in the gateway's schema.
import { encodeId, testTenantOf, uuidOf, type KeyMode } from '@kiln/contracts';
import { statement, type Queryable } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import type { Plan } from './plan.js';

export interface Organization {
  id: string;
  name: string;
  plan: Plan;
  createdAt: Date;
}

const COLUMNS = 'id, name, plan, created_at';

const insertOrganization = statement(
  'gateway.create_organization',
  `insert into organizations (id, name, plan, live_tenant_id, test_tenant_id) values ($1, $2, $3, $4, $5)
   returning ${COLUMNS}`,
);

const listOrganizations = statement(
  'gateway.list_organizations',
  `select ${COLUMNS} from organizations order by created_at, id`,
);

const updatePlan = statement(
  'gateway.set_plan',
  `update organizations set plan = $2 where id = $1 returning ${COLUMNS}`,
);

const findTenants = statement(
  'gateway.find_tenants',
  'select live_tenant_id as live, test_tenant_id as test, plan from organizations where id = $1',
);

export interface Tenants extends Record<KeyMode, string> {
  plan: Plan;
}

interface OrganizationRow {
  id: string;
  name: string;
  plan: Plan;
  created_at: Date;
}

const organizationOf = ({ id, name, plan, created_at: createdAt }: OrganizationRow): Organization => ({
  id: encodeId('organization', id),
  name,
  plan,
  createdAt,
});

export class OrganizationStore {
  constructor(private readonly database: Queryable) {}

  /** With two empty data planes, and no key yet. */
  async create(name: string, plan: Plan): Promise<Organization> {
    const liveTenantId = uuidv7();
    const values = [uuidv7(), name, plan, liveTenantId, testTenantOf(liveTenantId)];
    const [row] = await this.database.query<OrganizationRow>(insertOrganization, values);
    if (!row) throw new Error('the insert answered no row');
    return organizationOf(row);
  }

  /** Oldest first. */
  async list(): Promise<Organization[]> {
    return (await this.database.query<OrganizationRow>(listOrganizations)).map(organizationOf);
  }

  /** Null when there is no such organization. */
  async setPlan(id: string, plan: Plan): Promise<Organization | null> {
    const [row] = await this.database.query<OrganizationRow>(updatePlan, [uuidOf('organization', id), plan]);
    return row ? organizationOf(row) : null;
  }

  /** Its data planes (uuids) and plan, or null when there is no such organization. */
  async findTenants(id: string): Promise<Tenants | null> {
    const [row] = await this.database.query<Tenants>(findTenants, [uuidOf('organization', id)]);
    return row ?? null;
  }
}
