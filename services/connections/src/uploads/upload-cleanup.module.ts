import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { NodeUploadStore } from './node-upload.store.js';
import { UploadsModule } from './uploads.module.js';

const POLL_MS = 600_000;
const UPLOADS_PER_ROUND = 1_000;

/** Part of the worker role: removes expired uploads. */
@Module({ imports: [UploadsModule] })
export class UploadCleanupModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: PollingLoop;

  constructor(uploads: NodeUploadStore, @Inject(LOGGER) logger: Logger) {
    this.loop = new PollingLoop({
      name: 'removing expired uploads',
      pollMs: POLL_MS,
      logger,
      round: async () => (await uploads.removeExpired(UPLOADS_PER_ROUND)) === UPLOADS_PER_ROUND,
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }
}
