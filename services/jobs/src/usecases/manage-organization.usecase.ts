// What an organization has set for its work. Asked in the name of its live plane.
import type { CallContext, OperationInput, OperationOutput, jobsOperations } from '@kiln/contracts';
import { RoutingRuleStore } from '../store/routing-rule.store.js';
import { TestTenantStore } from '../store/test-tenant.store.js';

type Ops = typeof jobsOperations;

export class ManageOrganization {
  constructor(
    private readonly rules: RoutingRuleStore,
    private readonly testTenants: TestTenantStore,
  ) {}

  async getRules({ tenantId }: CallContext): Promise<OperationOutput<Ops['getRoutingRules']>> {
    return { rules: await this.rules.find(tenantId) };
  }

  async setRules(
    { rules }: OperationInput<Ops['setRoutingRules']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['setRoutingRules']>> {
    return { rules: await this.rules.replace(tenantId, rules) };
  }

  async linkTestTenant(
    { live_tenant_id }: OperationInput<Ops['linkTestTenant']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['linkTestTenant']>> {
    await this.testTenants.link(tenantId, live_tenant_id);
    return {};
  }
}
