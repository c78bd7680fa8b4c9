import { ResealWorker, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { OrganizationModule } from './organization.module.js';
import { PagesWorker } from './pages/pages.worker.js';
import { SealedProviderKeys } from './provider-keys/sealed-provider-keys.service.js';

const reseal = {
  provide: ResealWorker,
  inject: [SealedProviderKeys, LOGGER],
  useFactory: (keys: SealedProviderKeys, logger: Logger) => new ResealWorker(keys, logger),
};

/** Part of the API role: sums up usage, removes old reservations, and seals provider keys with the newest encryption key. */
@Module({ imports: [OrganizationModule], providers: [PagesWorker, reseal] })
export class OrganizationUpkeepModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly pages: PagesWorker,
    private readonly reseal: ResealWorker<unknown>,
  ) {}

  onApplicationBootstrap(): void {
    this.pages.start();
    this.reseal.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.pages.stop(), this.reseal.stop()]);
  }
}
