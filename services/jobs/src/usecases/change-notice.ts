// Tells the services that keep something of a job what a caller has changed about it, so that they show it when the caller is
// answered. The event says the same: where this gets lost, they follow a moment later.
import { encodeId, filesOperations, searchOperations, type CallContext } from '@kiln/contracts';
import type { Logger, RpcClient } from '@kiln/platform';
import type { JobRow } from '../store/job.rows.js';

/** What is done is done: the caller does not wait long for what will come anyway. */
const TIMEOUT_MS = 2_000;

const changeOf = (job: JobRow) => ({
  file_id: encodeId('file', job.file_id),
  job_id: encodeId('job', job.id),
  fence: job.fence,
});

/** Nothing here throws. */
export class ChangeNotice {
  constructor(
    private readonly rpc: RpcClient,
    private readonly logger: Logger,
  ) {}

  async cancelled(job: JobRow, context: CallContext): Promise<void> {
    const change = changeOf(job);
    await this.settled(job, context, (soon) => [
      this.rpc.call(filesOperations.followJob, { ...change, status: 'cancelled' }, soon),
      this.rpc.call(searchOperations.refuseRuns, change, soon),
    ]);
  }

  async retried(job: JobRow, context: CallContext): Promise<void> {
    const change = { ...changeOf(job), status: 'queued' as const };
    await this.settled(job, context, (soon) => [this.rpc.call(filesOperations.followJob, change, soon)]);
  }

  private async settled(
    job: JobRow,
    context: CallContext,
    calls: (soon: CallContext) => Promise<unknown>[],
  ): Promise<void> {
    const deadlineAt = Math.min(context.deadlineAt, Date.now() + TIMEOUT_MS);
    for (const outcome of await Promise.allSettled(calls({ ...context, deadlineAt }))) {
      if (outcome.status === 'fulfilled') continue;
      const details = { err: outcome.reason as unknown, jobId: job.id, status: job.status };
      this.logger.warn(details, 'a service was not told of a changed job; the event will tell it');
    }
  }
}
