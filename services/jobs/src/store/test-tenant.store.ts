// Which tenants are test planes, and of whom. A tenant that nobody has called one is a live plane, with its own settings.
import { statement, type Queryable } from '@kiln/platform';

/** SQL: the tenant under which the settings of `tenant`, an SQL expression, are kept. */
export const liveTenantOf = (tenant: string) =>
  `coalesce((select t.live_tenant_id from test_tenants t where t.tenant_id = ${tenant}), ${tenant})`;

/** What a test plane is, it stays. */
const link = statement(
  'test_tenants.link',
  'insert into test_tenants (tenant_id, live_tenant_id) values ($1, $2) on conflict do nothing',
);
const isTest = statement('test_tenants.find', 'select 1 from test_tenants where tenant_id = $1');

export class TestTenantStore {
  constructor(private readonly database: Queryable) {}

  async link(tenantId: string, liveTenantId: string): Promise<void> {
    await this.database.query(link, [tenantId, liveTenantId]);
  }

  /** Work of a test plane never calls a paid provider and uses no quota. */
  async isTest(tenantId: string): Promise<boolean> {
    return (await this.database.query(isTest, [tenantId])).length > 0;
  }
}
