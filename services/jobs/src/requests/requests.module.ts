import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { CheckJobs } from './check-jobs.usecase.js';
import { DeleteFileJobs } from './delete-file-jobs.usecase.js';
import { DeletedFileStore } from './deleted-file.store.js';
import { EditedFileStore } from './edited-file.store.js';
import { FailUpload } from './fail-upload.usecase.js';
import { FileEventsConsumer } from './file-events.consumer.js';
import { JobBatchStore } from './job-batch.store.js';
import { RequestJob } from './request-job.usecase.js';
import { RequestJobs } from './request-jobs.usecase.js';
import { RequestsController } from './requests.controller.js';
import { MissingJobStore } from './missing-job.store.js';
import { UpdateFileJobs } from './update-file-jobs.usecase.js';

/** Creates, fails and deletes jobs with their files: requests, failed uploads, deletions. */
@Module({
  imports: [JobsModule],
  controllers: [RequestsController, FileEventsConsumer],
  providers: [
    RequestJob,
    RequestJobs,
    CheckJobs,
    FailUpload,
    UpdateFileJobs,
    DeleteFileJobs,
    EditedFileStore,
    JobBatchStore,
    MissingJobStore,
    DeletedFileStore,
  ],
})
export class RequestsModule {}
