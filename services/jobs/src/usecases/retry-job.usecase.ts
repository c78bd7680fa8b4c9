// A caller wants a failed job tried again. It goes on after the last step that was finished; what counts towards giving up
// begins anew.
import {
  conflict,
  encodeId,
  filesOperations,
  notFound,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type jobsOperations,
} from '@kiln/contracts';
import { appendEvents, Database, type RpcClient, WakeUp } from '@kiln/platform';
import { JobChangeStore } from '../store/job-change.store.js';
import { jobRetried } from '../store/job.events.js';
import type { JobRow } from '../store/job.rows.js';
import type { RoutingRuleStore } from '../store/routing-rule.store.js';
import { JobStore, type JobRequest } from '../store/job.store.js';
import { ChangeNotice } from './change-notice.js';
import { JOBS_WAKE_UP, routeProvider } from './request-job.usecase.js';

type RetryJobOperation = (typeof jobsOperations)['retryJob'];

export interface RetryJobParts {
  database: Database;
  jobs: JobStore;
  changes: JobChangeStore;
  rules: Pick<RoutingRuleStore, 'providerFor'>;
  rpc: RpcClient;
  wakeUp: WakeUp;
  notice: ChangeNotice;
}

type Routing = Parameters<JobChangeStore['retry']>[2];

const refusal = (status: JobRow['status']) => conflict(`The job is ${status}. Only a failed one can be retried.`);

export class RetryJob {
  constructor(private readonly parts: RetryJobParts) {}

  async execute(
    { id }: OperationInput<RetryJobOperation>,
    context: CallContext,
  ): Promise<OperationOutput<RetryJobOperation>> {
    const { jobs, rpc, wakeUp, notice } = this.parts;
    const { tenantId } = context;
    const job = await jobs.get(tenantId, uuidOf('job', id));
    if (!job) throw notFound('No job has this id.');
    if (job.status !== 'failed') throw refusal(job.status);
    const asked = { file_id: encodeId('file', job.file_id), job_id: id };
    const request = await rpc.call(filesOperations.prepareRetry, asked, context);
    const retried = await this.retry(job, request);
    // Another retry was faster.
    if (!retried) throw refusal('queued');
    wakeUp.send(JOBS_WAKE_UP);
    await notice.retried(retried, context);
    return { id, status: 'queued' };
  }

  private async retry({ tenant_id: tenantId, id: jobId }: JobRow, request: JobRequest): Promise<JobRow | null> {
    const { database, changes } = this.parts;
    const routing = await this.route(tenantId, request);
    return database.transaction(async (transaction) => {
      const retried = await changes.retry(transaction, { tenantId, jobId }, routing);
      if (retried) await appendEvents(transaction, jobRetried(retried));
      return retried;
    });
  }

  /** By the rules of today: a retry may be for the sake of a rule that was corrected. */
  private async route(tenantId: string, request: JobRequest): Promise<Routing> {
    const { content_type: contentType, processing } = request;
    const ruled =
      processing.provider || contentType === null ? null : await this.parts.rules.providerFor(tenantId, contentType);
    return { contentType, provider: ruled ?? routeProvider(request) };
  }
}
