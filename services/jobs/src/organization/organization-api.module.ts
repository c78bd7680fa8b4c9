import { ResealWorker, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Module } from '@nestjs/common';
import { OrganizationController } from './organization.controller.js';
import { OrganizationModule } from './organization.module.js';
import { CountPages } from './pages/count-pages.usecase.js';
import { PagesWorker } from './pages/pages.worker.js';
import { PolicyChanges } from './policies/policy-changes.service.js';
import { ManageProviderKeys } from './provider-keys/manage-provider-keys.usecase.js';
import { SealedProviderKeys } from './provider-keys/sealed-provider-keys.service.js';
import { ManageSettings } from './settings/manage-settings.usecase.js';

const reseal = {
  provide: ResealWorker,
  inject: [SealedProviderKeys, LOGGER],
  useFactory: (keys: SealedProviderKeys, logger: Logger) => new ResealWorker(keys, logger),
};

/**
 * Part of the API role: what an organization reads and changes of its own. Also sums up usage, removes old reservations, and seals
 * provider keys with the newest encryption key.
 */
@Module({
  imports: [OrganizationModule],
  controllers: [OrganizationController],
  providers: [ManageSettings, ManageProviderKeys, CountPages, PolicyChanges, PagesWorker, reseal],
})
export class OrganizationApiModule {}
