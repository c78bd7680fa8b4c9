import { ResealWorker, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { ConnectionsModule } from './connections.module.js';
import { SealedCredentials } from './sealed-credentials.service.js';

const reseal = {
  provide: ResealWorker,
  inject: [SealedCredentials, LOGGER],
  useFactory: (credentials: SealedCredentials, logger: Logger) => new ResealWorker(credentials, logger),
};

/** Part of the worker role: seals credentials with the newest encryption key. */
@Module({ imports: [ConnectionsModule], providers: [reseal] })
export class ResealModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly worker: ResealWorker<unknown>) {}

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}
