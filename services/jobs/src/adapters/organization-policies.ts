// What organizations have chosen for their runs, from where they keep it.
import type { RunPolicies } from '../domain/run-policy.js';
import type { RoutingRuleStore } from '../store/routing-rule.store.js';
import type { TestTenantStore } from '../store/test-tenant.store.js';
import type { ProviderKeys } from './provider-keys.js';

export interface OrganizationPoliciesParts {
  testTenants: TestTenantStore;
  routingRules: RoutingRuleStore;
  providerKeys: ProviderKeys;
}

/** Asked anew by every run: what is changed counts for all that begins afterwards. */
export function organizationPolicies(parts: OrganizationPoliciesParts): RunPolicies {
  const { testTenants, routingRules, providerKeys } = parts;
  return {
    of: async (tenantId) => ({
      isTest: await testTenants.isTest(tenantId),
      ruledProvider: (contentType) => routingRules.providerFor(tenantId, contentType),
      keyOf: (provider) => providerKeys.open(tenantId, provider),
    }),
  };
}
