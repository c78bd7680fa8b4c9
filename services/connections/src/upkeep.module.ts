import { Database, ResealWorker, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Module } from '@nestjs/common';
import { BucketAccessModule } from './connections/bucket-access.module.js';
import { SealedCredentials } from './connections/sealed-credentials.service.js';
import { ConnectionPurgeStore } from './purge/connection-purge.store.js';
import { PurgeWorker } from './purge/purge.worker.js';
import { NodeUploadStore } from './uploads/node-upload.store.js';
import { UploadCleanupWorker } from './uploads/upload-cleanup.worker.js';

const purges = {
  provide: ConnectionPurgeStore,
  inject: [Database],
  useFactory: (database: Database) => new ConnectionPurgeStore(database),
};
const reseal = {
  provide: ResealWorker,
  inject: [SealedCredentials, LOGGER],
  useFactory: (credentials: SealedCredentials, logger: Logger) => new ResealWorker(credentials, logger),
};

/** Part of the worker role: removes deleted connections and expired uploads, and seals credentials with the newest encryption key. */
@Module({
  imports: [BucketAccessModule],
  providers: [purges, PurgeWorker, SealedCredentials, reseal, NodeUploadStore, UploadCleanupWorker],
})
export class UpkeepModule {}
