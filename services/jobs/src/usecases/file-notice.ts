// Tells the files service what a caller has changed about a job, so that the file shows it when the caller is answered. The
// event says the same: when this gets lost, the file follows a moment later.
import { encodeId, filesOperations, type CallContext, type OperationInput } from '@kiln/contracts';
import type { Logger, RpcClient } from '@kiln/platform';
import type { JobRow } from '../store/job.rows.js';

type Status = OperationInput<(typeof filesOperations)['followJob']>['status'];

/** What is done is done: the caller does not wait long for what will come anyway. */
const TIMEOUT_MS = 2_000;

export class FileNotice {
  constructor(
    private readonly rpc: RpcClient,
    private readonly logger: Logger,
  ) {}

  /** Never throws. */
  async send(job: JobRow, status: Status, context: CallContext): Promise<void> {
    const change = {
      file_id: encodeId('file', job.file_id),
      job_id: encodeId('job', job.id),
      fence: job.fence,
      status,
    };
    const deadlineAt = Math.min(context.deadlineAt, Date.now() + TIMEOUT_MS);
    try {
      await this.rpc.call(filesOperations.followJob, change, { ...context, deadlineAt });
    } catch (error) {
      this.logger.warn({ err: error, jobId: job.id, status }, 'file not told of its job; the event will tell it');
    }
  }
}
