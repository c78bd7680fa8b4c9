import { Module } from '@nestjs/common';
import { OrganizationModule } from '../organization/organization.module.js';
import { CancelJob } from './cancel-job.usecase.js';
import { ChangeNotice } from './change-notice.service.js';
import { CountJobs } from './count-jobs.usecase.js';
import { GetJob } from './get-job.usecase.js';
import { JobChangeStore } from './job-change.store.js';
import { JobListStore } from './job-list.store.js';
import { JobStore } from './job.store.js';
import { JobTimelineStore } from './job-timeline.store.js';
import { JobsController } from './jobs.controller.js';
import { ListJobs } from './list-jobs.usecase.js';
import { RetryJob } from './retry-job.usecase.js';

/** Jobs as their owner sees and changes them. */
@Module({
  imports: [OrganizationModule],
  controllers: [JobsController],
  providers: [
    CountJobs,
    GetJob,
    ListJobs,
    CancelJob,
    RetryJob,
    JobStore,
    JobListStore,
    JobTimelineStore,
    JobChangeStore,
    ChangeNotice,
  ],
  exports: [JobStore],
})
export class JobsModule {}
