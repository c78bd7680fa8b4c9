// Calls the services that keep data of a job when a caller has changed it, so that they show the change before the caller gets an answer.
// The event carries the same change: when a call fails, they follow a moment later.
import { encodeId, filesOperations, searchOperations, type CallContext } from '@kiln/contracts';
import { RpcClient, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import type { JobRow } from './job.rows.js';

/** The change is committed, and the event will follow: the caller does not wait long. */
const TIMEOUT_MS = 2_000;

const changeOf = (job: JobRow) => ({
  file_id: encodeId('file', job.file_id),
  job_id: encodeId('job', job.id),
  fence: job.fence,
});

/** Its methods never throw. */
@Injectable()
export class ChangeNotice {
  constructor(
    private readonly rpc: RpcClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async cancelled(job: JobRow, context: CallContext): Promise<void> {
    const change = changeOf(job);
    await this.send(job, context, (soon) => [
      this.rpc.call(filesOperations.followJob, { ...change, status: 'cancelled' }, soon),
      this.rpc.call(searchOperations.refuseRuns, change, soon),
    ]);
  }

  async retried(job: JobRow, context: CallContext): Promise<void> {
    const change = { ...changeOf(job), status: 'queued' as const };
    await this.send(job, context, (soon) => [this.rpc.call(filesOperations.followJob, change, soon)]);
  }

  private async send(
    job: JobRow,
    context: CallContext,
    calls: (soon: CallContext) => Promise<unknown>[],
  ): Promise<void> {
    const deadlineAt = Math.min(context.deadlineAt, Date.now() + TIMEOUT_MS);
    for (const outcome of await Promise.allSettled(calls({ ...context, deadlineAt }))) {
      if (outcome.status === 'fulfilled') continue;
      const details = { err: outcome.reason as unknown, jobId: job.id, status: job.status };
      this.logger.warn(details, 'Notice of a changed job failed; the event will follow');
    }
  }
}
