import { Module } from '@nestjs/common';
import { PageReservationStore } from './pages/page-reservation.store.js';
import { UsageStore } from './pages/usage.store.js';
import { OrganizationPolicies } from './policies/organization-policies.service.js';
import { ProviderKeyStore } from './provider-keys/provider-key.store.js';
import { SealedProviderKeys } from './provider-keys/sealed-provider-keys.service.js';
import { RoutingRuleStore } from './settings/routing-rule.store.js';
import { SettingsStore } from './settings/settings.store.js';

const policies = {
  provide: OrganizationPolicies,
  inject: [RoutingRuleStore, SealedProviderKeys, SettingsStore],
  useFactory: (routingRules: RoutingRuleStore, providerKeys: SealedProviderKeys, settings: SettingsStore) =>
    new OrganizationPolicies({ routingRules, providerKeys, settings }),
};
const stores = [RoutingRuleStore, SettingsStore, ProviderKeyStore, UsageStore, PageReservationStore];

/** What belongs to an organization: settings, routing rules, provider keys, and the pages it has used and reserved. */
@Module({
  providers: [...stores, SealedProviderKeys, policies],
  exports: [...stores, SealedProviderKeys, policies],
})
export class OrganizationModule {}
