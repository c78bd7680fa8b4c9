import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { CheckJobs } from './check-jobs.usecase.js';
import { DeleteFileJobs } from './delete-file-jobs.usecase.js';
import { DeletedFileStore } from './deleted-file.store.js';
import { FailUpload } from './fail-upload.usecase.js';
import { JobBatchStore } from './job-batch.store.js';
import { RequestJob } from './request-job.usecase.js';
import { RequestJobs } from './request-jobs.usecase.js';
import { MissingJobStore } from './missing-job.store.js';

const usecases = [RequestJob, RequestJobs, CheckJobs, FailUpload, DeleteFileJobs];

/** How files come by their jobs and lose them: requests, failed uploads, deletions. */
@Module({
  imports: [JobsModule],
  providers: [...usecases, JobBatchStore, MissingJobStore, DeletedFileStore],
  exports: [...usecases, DeletedFileStore],
})
export class RequestsModule {}
