import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationModule } from '../organization/organization.module.js';
import { CancelJob } from './cancel-job.usecase.js';
import { ChangeNotice } from './change-notice.service.js';
import { CountJobs } from './count-jobs.usecase.js';
import { GetJob } from './get-job.usecase.js';
import { JobChangeStore } from './job-change.store.js';
import { JobEntity } from './job.entity.js';
import { JobListStore } from './job-list.store.js';
import { JobStore } from './job.store.js';
import { JobTimelineStore } from './job-timeline.store.js';
import { ListJobs } from './list-jobs.usecase.js';
import { RetryJob } from './retry-job.usecase.js';

const usecases = [CountJobs, GetJob, ListJobs, CancelJob, RetryJob];

/** Jobs as their owner sees and changes them. */
@Module({
  imports: [TypeOrmModule.forFeature([JobEntity]), OrganizationModule],
  providers: [...usecases, JobStore, JobListStore, JobTimelineStore, JobChangeStore, ChangeNotice],
  exports: [...usecases, JobStore],
})
export class JobsModule {}
