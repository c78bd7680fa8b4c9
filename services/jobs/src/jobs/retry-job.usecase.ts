// Retries a failed job for a caller. Its next run resumes after the last completed step. The limits on failures and runs start over.
import {
  conflict,
  encodeId,
  filesOperations,
  notFound,
  uuidOf,
  type CallContext,
  type JobsInput,
  type JobsOutput,
} from '@kiln/contracts';
import { appendEvents, Database, RpcClient, WakeUp } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { JobChangeStore } from './job-change.store.js';
import { jobRetried } from './job.events.js';
import type { JobRow } from './job.rows.js';
import { RoutingRuleStore } from '../organization/settings/routing-rule.store.js';
import { JobStore, type JobRequest } from './job.store.js';
import { ChangeNotice } from './change-notice.service.js';
import { laneOf } from '../claims/lane.domain.js';
import { routeProvider } from '../requests/request-job.usecase.js';
import { wakeUpFor } from '../wake-ups.events.js';

type Routing = Parameters<JobChangeStore['retry']>[2];

const refusal = (status: JobRow['status']) => conflict(`The job is ${status}. Only a failed job can be retried.`);

@Injectable()
export class RetryJob {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobStore,
    private readonly changes: JobChangeStore,
    private readonly rules: RoutingRuleStore,
    private readonly rpc: RpcClient,
    private readonly wakeUp: WakeUp,
    private readonly notice: ChangeNotice,
  ) {}

  async execute({ id }: JobsInput<'retryJob'>, context: CallContext): Promise<JobsOutput<'retryJob'>> {
    const { tenantId } = context;
    const job = await this.jobs.get(tenantId, uuidOf('job', id));
    if (!job) throw notFound('No job has this id.');
    if (job.status !== 'failed') throw refusal(job.status);
    const retry = { file_id: encodeId('file', job.file_id), job_id: id };
    const request = await this.rpc.call(filesOperations.prepareRetry, retry, context);
    const retried = await this.retry(job, request);
    // A concurrent retry has already queued the job.
    if (!retried) throw refusal('queued');
    wakeUpFor(this.wakeUp, [{ ...request, ready: true }]);
    await this.notice.retried(retried, context);
    return { id, status: 'queued' };
  }

  private async retry({ tenant_id: tenantId, id: jobId }: JobRow, request: JobRequest): Promise<JobRow | null> {
    const routing = await this.route(tenantId, request);
    return this.database.transaction(async (transaction) => {
      const retried = await this.changes.retry(transaction, { tenantId, jobId }, routing);
      if (retried) await appendEvents(transaction, jobRetried(retried));
      return retried;
    });
  }

  /** Uses the current rules: the caller may have corrected a rule before the retry. */
  private async route(tenantId: string, request: JobRequest): Promise<Routing> {
    const { content_type: contentType, processing } = request;
    const ruled =
      processing.provider || contentType === null ? null : await this.rules.providerFor(tenantId, contentType);
    return { contentType, provider: ruled ?? routeProvider(request), lane: laneOf(request) };
  }
}
