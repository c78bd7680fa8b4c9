// What organizations have chosen for their runs, from where they keep it.
import { modeOf } from '@kiln/contracts';
import type { RunPolicies } from '../domain/run-policy.js';
import type { RoutingRuleStore } from '../store/routing-rule.store.js';
import type { ProviderKeys } from './provider-keys.js';

export interface OrganizationPoliciesParts {
  routingRules: RoutingRuleStore;
  providerKeys: ProviderKeys;
}

/** Asked anew by every run: what is changed counts for all that begins afterwards. */
export function organizationPolicies(parts: OrganizationPoliciesParts): RunPolicies {
  const { routingRules, providerKeys } = parts;
  return {
    of: (tenantId) => ({
      isTest: modeOf(tenantId) === 'test',
      ruledProvider: (contentType) => routingRules.providerFor(tenantId, contentType),
      keyOf: (provider) => providerKeys.open(tenantId, provider),
    }),
  };
}
