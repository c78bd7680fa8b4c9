// Makes the jobs of a batch, or makes them ready, in one transaction. Safe to ask any number of times.
import type { CallContext, OperationInput, OperationOutput, jobsOperations } from '@kiln/contracts';
import { Database, WakeUp } from '@kiln/platform';
import { JobBatchStore } from '../store/job-batch.store.js';
import { JOBS_WAKE_UP, routeProvider } from './request-job.usecase.js';

type CreateJobsOperation = (typeof jobsOperations)['createJobs'];

export class RequestJobs {
  constructor(
    private readonly database: Database,
    private readonly batches: JobBatchStore,
    private readonly wakeUp: WakeUp,
  ) {}

  async execute(
    { jobs }: OperationInput<CreateJobsOperation>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<CreateJobsOperation>> {
    const requests = jobs.map((request) => ({ request, provider: routeProvider(request) }));
    const created = await this.database.transaction((transaction) =>
      this.batches.upsert(transaction, tenantId, requests),
    );
    if (jobs.some(({ ready }) => ready)) this.wakeUp.send(JOBS_WAKE_UP);
    return { created };
  }
}
