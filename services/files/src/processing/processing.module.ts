import { Module } from '@nestjs/common';
import { BatchesModule } from '../batches/batches.module.js';
import { DeletionModule } from '../deletion/deletion.module.js';
import { FilesModule } from '../files/files.module.js';
import { SourcesModule } from '../sources/sources.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { FileJobStore } from './file-job.store.js';
import { FollowJob } from './follow-job.usecase.js';
import { JobEventsConsumer } from './job-events.consumer.js';
import { PrepareRetry } from './prepare-retry.usecase.js';
import { ProcessFiles } from './process-files.usecase.js';
import { ProcessingCheckStore } from './processing-check.store.js';
import { ProcessingCheckWorker } from './processing-check.worker.js';
import { ProcessingController } from './processing.controller.js';
import { RecordFailure } from './record-failure.usecase.js';

/** Gives files new jobs, and keeps the status of a file in step with its job. */
@Module({
  imports: [BatchesModule, FilesModule, SourcesModule, UploadsModule, DeletionModule],
  controllers: [ProcessingController, JobEventsConsumer],
  providers: [
    FileJobStore,
    ProcessFiles,
    FollowJob,
    PrepareRetry,
    RecordFailure,
    ProcessingCheckStore,
    ProcessingCheckWorker,
  ],
  exports: [FileJobStore],
})
export class ProcessingModule {}
