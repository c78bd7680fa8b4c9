// Composition root of the files service: every part is built here, by hand, in the order of its needs.
import type { Platform } from '@kiln/platform/nest';
import { openObjectStore } from '@kiln/storage';
import type { DynamicModule } from '@nestjs/common';
import type { FilesConfig } from './config.js';
import { connectedBuckets } from './connected-buckets.js';
import { BatchStore } from './store/batch.store.js';
import { DeletionStore } from './store/deletion.store.js';
import { FileListStore } from './store/file-list.store.js';
import { FileTermsStore } from './store/file-terms.store.js';
import { FileStore } from './store/file.store.js';
import { FileWithVariantsStore } from './store/file-with-variants.store.js';
import { PendingUploadStore } from './store/pending-upload.store.js';
import { RemovalStore } from './store/removal.store.js';
import { SpaceStore } from './store/space.store.js';
import { VariantStore } from './store/variant.store.js';
import { BatchesController } from './transport/batches.controller.js';
import { ConnectionsController } from './transport/connections.controller.js';
import { DeletionController } from './transport/deletion.controller.js';
import { FilesController } from './transport/files.controller.js';
import { JobEventsConsumer } from './transport/job-events.consumer.js';
import { JobsController } from './transport/jobs.controller.js';
import { SpacesController } from './transport/spaces.controller.js';
import { storageEventsRoute } from './transport/storage-events.route.js';
import { CreateFile } from './usecases/create-file.usecase.js';
import { CreateUpload } from './usecases/create-upload.usecase.js';
import { CreateUploads } from './usecases/create-uploads.usecase.js';
import { DownloadFile } from './usecases/download-file.usecase.js';
import { DeleteFiles } from './usecases/delete-files.usecase.js';
import { DeleteSpace } from './usecases/delete-space.usecase.js';
import { FollowJob } from './usecases/follow-job.usecase.js';
import { OpenSource } from './usecases/open-source.js';
import { PrepareRetry } from './usecases/prepare-retry.usecase.js';
import { ProcessFile } from './usecases/process-file.usecase.js';
import { ProcessFiles } from './usecases/process-files.usecase.js';
import { ReadBatch } from './usecases/read-batch.usecase.js';
import { ReadFiles } from './usecases/read-files.usecase.js';
import { ReadSpaces } from './usecases/read-spaces.usecase.js';
import { ReadVariants } from './usecases/read-variants.usecase.js';
import { ReceiveUpload } from './usecases/receive-upload.usecase.js';
import { RecordFailure } from './usecases/record-failure.usecase.js';
import { RegisterFile } from './usecases/register-file.usecase.js';
import { PendingUploadsWorker } from './workers/pending-uploads.worker.js';
import { startDeletionWorkers } from './workers/deletion-workers.js';
import { startOrphanSearch } from './workers/orphan-search.worker.js';
import { startProcessingCheck } from './workers/processing-check.worker.js';

const WORKER_STOP_MS = 5_000;

export class FilesModule {
  static async with(config: FilesConfig, platform: Platform): Promise<DynamicModule> {
    const { database, health, shutdown, logger } = platform;
    const { KILN_SIGNED_URL_SECONDS: signedUrlSeconds, KILN_STORAGE_EVENTS_TOKEN: eventsToken } = config;
    const uploadBytesMax = config.KILN_MAX_UPLOAD_BYTES;
    const objects = await openObjectStore(config);
    const files = new FileStore(database);
    const variants = new VariantStore(database);
    const batches = new BatchStore(database);
    const pendingUploads = new PendingUploadStore(database);
    const registerFile = new RegisterFile(database, files, signedUrlSeconds);
    const deletions = new DeletionStore(database, signedUrlSeconds);
    const wake = startDeletionWorkers(platform, objects, deletions, { uploadBytesMax });
    const receiveUpload = new ReceiveUpload(database, files, objects, uploadBytesMax, wake.objects);
    startOrphanSearch(platform, objects, {
      orphansPercentMax: config.KILN_ORPHANS_PERCENT_MAX,
      onFound: wake.objects,
    });
    startProcessingCheck(platform);

    const worker = new PendingUploadsWorker({ pendingUploads, receiveUpload, logger });
    worker.start();
    shutdown.addPhase('pending uploads', WORKER_STOP_MS, () => worker.stop());
    health.addCheck('storage', 'reported', () => objects.ping());
    if (eventsToken) health.addRoute('POST /storage-events', storageEventsRoute(eventsToken, receiveUpload, logger));

    const connected = connectedBuckets(platform, { objects, batches, deletions });
    const { sources, buckets, links } = connected;
    const usecases = [
      new CreateFile(registerFile),
      new CreateUpload(registerFile, objects, signedUrlSeconds, () => worker.expect()),
      new ReadFiles(new FileWithVariantsStore(database), new FileListStore(database)),
      new ReadVariants(database, files, variants, objects, signedUrlSeconds),
      new ProcessFile(database, files, variants, new FileTermsStore(), objects, new OpenSource(buckets, links)),
      new RecordFailure(files),
      new FollowJob(database, files),
      new PrepareRetry(files, receiveUpload, sources),
      new ReadSpaces(new SpaceStore(database)),
      new CreateUploads(database, batches, files, objects, signedUrlSeconds, () => worker.expect()),
      new ReadBatch(batches),
      new ProcessFiles(database, files, batches, receiveUpload, sources, new RemovalStore(database)),
      new DownloadFile(files, objects, signedUrlSeconds, sources, buckets),
      new DeleteFiles(database, deletions, wake.objects),
      new DeleteSpace(database, deletions, wake.spaces),
      ...connected.usecases,
    ];
    return {
      module: FilesModule,
      controllers: [
        FilesController,
        SpacesController,
        BatchesController,
        ConnectionsController,
        DeletionController,
        JobsController,
        JobEventsConsumer,
      ],
      providers: usecases.map((usecase) => ({ provide: usecase.constructor, useValue: usecase })),
    };
  }
}
