// Makes the job that a file asks for, or makes it ready once the bytes are there. Safe to ask any number of times.
import { notFound, uuidOf, type CallContext, type OperationOutput, type jobsOperations } from '@kiln/contracts';
import { providerFor } from '@kiln/extraction/routing';
import { Database, WakeUp, type EventContext } from '@kiln/platform';
import { jobView } from '../store/job.rows.js';
import { JobStore, type JobRequest } from '../store/job.store.js';

type JobView = OperationOutput<(typeof jobsOperations)['createJob']>;

/** What workers listen for. */
export const JOBS_WAKE_UP = 'jobs';

/** The request's own choice, else by content type; null until the type is known, or when nothing fits. */
export function routeProvider(request: JobRequest) {
  return request.processing.provider ?? (request.content_type === null ? null : providerFor(request.content_type));
}

export class RequestJob {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobStore,
    private readonly wakeUp: WakeUp,
  ) {}

  async execute(request: JobRequest, { tenantId }: CallContext): Promise<JobView> {
    const row = await this.database.transaction(async (transaction) => {
      const changed = await this.jobs.upsert(transaction, tenantId, request, routeProvider(request));
      return changed ?? (await this.jobs.find(transaction, tenantId, uuidOf('job', request.job_id)));
    });
    if (!row) throw notFound('No job has this id.');
    if (request.ready) this.wakeUp.send(JOBS_WAKE_UP);
    return jobView(row);
  }

  /** The same, inside the transaction of a consumed event. */
  async executeWithin(
    { transaction, afterCommit }: EventContext,
    tenantId: string,
    request: JobRequest,
  ): Promise<void> {
    const changed = await this.jobs.upsert(transaction, tenantId, request, routeProvider(request));
    if (changed && request.ready) afterCommit(() => this.wakeUp.send(JOBS_WAKE_UP));
  }
}
