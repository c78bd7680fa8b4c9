// Makes the jobs that are asked for directly, or makes them ready. Safe to ask any number of times; calls of one tenant that
// come together share a statement.
import type { CallContext, OperationInput, OperationOutput, jobsOperations } from '@kiln/contracts';
import { Database, GroupedCalls, WakeUp } from '@kiln/platform';
import { JobBatchStore } from '../store/job-batch.store.js';
import type { JobRequest } from '../store/job.store.js';
import { JOBS_WAKE_UP, routeProvider } from './request-job.usecase.js';

type CreateJobsOperation = (typeof jobsOperations)['createJobs'];

const STATEMENTS_IN_FLIGHT_MAX = 2;
const CALLS_PER_STATEMENT_MAX = 50;

export class RequestJobs {
  private readonly calls: GroupedCalls<JobRequest[], number>;

  constructor(
    private readonly database: Database,
    private readonly batches: JobBatchStore,
    private readonly wakeUp: WakeUp,
  ) {
    this.calls = new GroupedCalls((tenantId, calls) => this.upsert(tenantId, calls), {
      inFlightMax: STATEMENTS_IN_FLIGHT_MAX,
      callsMax: CALLS_PER_STATEMENT_MAX,
    });
  }

  async execute(
    { jobs }: OperationInput<CreateJobsOperation>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<CreateJobsOperation>> {
    return { created: await this.calls.run(tenantId, jobs) };
  }

  /** How many jobs of each call are new. */
  private async upsert(tenantId: string, calls: JobRequest[][]): Promise<number[]> {
    const requests = calls.flat().map((request) => ({ request, provider: routeProvider(request) }));
    const created = await this.batches.upsert(this.database, tenantId, requests);
    if (requests.some(({ request }) => request.ready)) this.wakeUp.send(JOBS_WAKE_UP);
    return calls.map((jobs) => jobs.filter(({ job_id }) => created.has(job_id)).length);
  }
}
