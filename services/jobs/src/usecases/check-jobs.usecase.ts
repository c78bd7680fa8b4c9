// What has become of the jobs of files that are still processing. Jobs whose request was lost are made now.
import {
  encodeId,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type jobsOperations,
} from '@kiln/contracts';
import type { JobStore } from '../store/job.store.js';
import type { RequestJobs } from './request-jobs.usecase.js';

type CheckJobsOperation = (typeof jobsOperations)['checkJobs'];

export class CheckJobs {
  constructor(
    private readonly requestJobs: Pick<RequestJobs, 'execute'>,
    private readonly jobs: JobStore,
  ) {}

  async execute(
    { jobs }: OperationInput<CheckJobsOperation>,
    context: CallContext,
  ): Promise<OperationOutput<CheckJobsOperation>> {
    await this.requestJobs.execute({ jobs }, context);
    const jobIds = jobs.map(({ job_id }) => uuidOf('job', job_id));
    const rows = await this.jobs.states(context.tenantId, jobIds);
    return { states: rows.map(({ id, status, fence }) => ({ job_id: encodeId('job', id), status, fence })) };
  }
}
