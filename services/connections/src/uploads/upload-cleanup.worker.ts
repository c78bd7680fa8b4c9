// Removes expired uploads. Part of the worker role.
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { NodeUploadStore } from './node-upload.store.js';

const POLL_MS = 600_000;
const UPLOADS_PER_ROUND = 1_000;

@Injectable()
export class UploadCleanupWorker extends PollingLoop {
  constructor(uploads: NodeUploadStore, @Inject(LOGGER) logger: Logger) {
    super({
      name: 'removing expired uploads',
      pollMs: POLL_MS,
      logger,
      round: async () => (await uploads.removeExpired(UPLOADS_PER_ROUND)) === UPLOADS_PER_ROUND,
    });
  }
}
