// The states of the jobs of files that are still processing. Creates jobs whose request was lost.
import { encodeId, uuidOf, type CallContext, type JobsInput, type JobsOutput } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { JobStore } from '../jobs/job.store.js';
import { RequestJobs } from './request-jobs.usecase.js';

@Injectable()
export class CheckJobs {
  constructor(
    private readonly requestJobs: RequestJobs,
    private readonly jobs: JobStore,
  ) {}

  async execute({ jobs }: JobsInput<'checkJobs'>, context: CallContext): Promise<JobsOutput<'checkJobs'>> {
    await this.requestJobs.execute({ jobs }, context);
    const jobIds = jobs.map(({ job_id }) => uuidOf('job', job_id));
    const rows = await this.jobs.states(context.tenantId, jobIds);
    return { states: rows.map(({ id, status, fence }) => ({ job_id: encodeId('job', id), status, fence })) };
  }
}
