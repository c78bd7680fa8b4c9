import { HealthServer, Metrics, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { BatchesModule } from '../batches/batches.module.js';
import { FILES_CONFIG, type FilesConfig } from '../config.js';
import { DeletionModule } from '../deletion/deletion.module.js';
import { FilesModule } from '../files/files.module.js';
import { PartUploadsModule } from '../parts/part-uploads.module.js';
import { ReplacementsModule } from '../replacements/replacements.module.js';
import { ArrivalStore } from './arrival.store.js';
import { EndedUploadStore } from './ended-upload.store.js';
import { EndedUploadsWorker } from './ended-uploads.worker.js';
import { NewFileStore } from './new-file.store.js';
import { PendingUploadNotifier } from './pending-upload-notifier.service.js';
import { PendingUploadStore } from './pending-upload.store.js';
import { PendingUploadsWorker } from './pending-uploads.worker.js';
import { ReceiveUpload } from './receive-upload.usecase.js';
import { RegisterFiles } from './register-files.usecase.js';
import { storageEventsRoute } from './storage-events.route.js';
import { UploadsController } from './uploads.controller.js';

/** Registers files, signs URLs for their bytes, and notices when the bytes arrive. */
@Module({
  imports: [FilesModule, BatchesModule, DeletionModule, PartUploadsModule, ReplacementsModule],
  controllers: [UploadsController],
  providers: [
    NewFileStore,
    RegisterFiles,
    ArrivalStore,
    ReceiveUpload,
    PendingUploadStore,
    PendingUploadNotifier,
    PendingUploadsWorker,
    EndedUploadStore,
    EndedUploadsWorker,
  ],
  exports: [NewFileStore, RegisterFiles, ReceiveUpload],
})
export class UploadsModule implements OnModuleInit {
  constructor(
    private readonly receiveUpload: ReceiveUpload,
    pending: PendingUploadsWorker,
    private readonly health: HealthServer,
    @Inject(FILES_CONFIG) private readonly config: FilesConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    pendingNotifier: PendingUploadNotifier,
    registerFiles: RegisterFiles,
    metrics: Metrics,
  ) {
    pendingNotifier.connect(pending);
    const help = 'Bytes of uploaded files, by the way they came: through the gateway or by a signed URL';
    const bytes = metrics.counter('kiln_upload_bytes_total', help, ['via']);
    registerFiles.onStored((size) => bytes.add(size, { via: 'gateway' }));
    receiveUpload.onArrived((size) => bytes.add(size, { via: 'signed_url' }));
  }

  onModuleInit(): void {
    const token = this.config.KILN_STORAGE_EVENTS_TOKEN;
    if (token === undefined) return;
    this.health.addRoute('POST /storage-events', storageEventsRoute(token, this.receiveUpload, this.logger));
  }
}
