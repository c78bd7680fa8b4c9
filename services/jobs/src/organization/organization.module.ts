import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CountPages } from './pages/count-pages.usecase.js';
import { PageReservationStore } from './pages/page-reservation.store.js';
import { UsageStore } from './pages/usage.store.js';
import { OrganizationPolicies } from './policies/organization-policies.service.js';
import { PolicyChanges } from './policies/policy-changes.service.js';
import { ManageProviderKeys } from './provider-keys/manage-provider-keys.usecase.js';
import { ProviderKeyEntity } from './provider-keys/provider-key.entity.js';
import { ProviderKeyStore } from './provider-keys/provider-key.store.js';
import { SealedProviderKeys } from './provider-keys/sealed-provider-keys.service.js';
import { ManageSettings } from './settings/manage-settings.usecase.js';
import { OrganizationSettingsEntity } from './settings/organization-settings.entity.js';
import { RoutingRuleStore } from './settings/routing-rule.store.js';
import { SettingsStore } from './settings/settings.store.js';

const policies = {
  provide: OrganizationPolicies,
  inject: [RoutingRuleStore, SealedProviderKeys, SettingsStore],
  useFactory: (routingRules: RoutingRuleStore, providerKeys: SealedProviderKeys, settings: SettingsStore) =>
    new OrganizationPolicies({ routingRules, providerKeys, settings }),
};
const used = [SealedProviderKeys, RoutingRuleStore, UsageStore, PageReservationStore, policies];
const usecases = [ManageSettings, ManageProviderKeys, CountPages];

/** What belongs to an organization: settings, routing rules, provider keys, and the pages it has used and reserved. */
@Module({
  imports: [TypeOrmModule.forFeature([OrganizationSettingsEntity, ProviderKeyEntity])],
  providers: [...used, ...usecases, SettingsStore, ProviderKeyStore, PolicyChanges],
  exports: [...used, ...usecases],
})
export class OrganizationModule {}
