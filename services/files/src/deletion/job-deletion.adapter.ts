// Deletes the jobs of deleted files by a direct call to the jobs service, so that they cannot be read any more when the caller has its answer. The
// events of the files delete them later as well, so a failure here is harmless.
import { encodeId, jobsOperations, type CallContext } from '@kiln/contracts';
import { RpcClient, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';

const TIMEOUT_MS = 2_000;
/** The time in which the answer to the deletion reaches its caller. */
const ANSWER_MS = 1_000;

@Injectable()
export class JobDeletion {
  constructor(
    @Inject(RpcClient) private readonly rpc: Pick<RpcClient, 'call'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Resolves once the jobs are deleted, or the call has failed. */
  async execute(fileIds: readonly string[], context: CallContext): Promise<void> {
    const file_ids = fileIds.map((id) => encodeId('file', id));
    const soon = { ...context, deadlineAt: Math.min(context.deadlineAt - ANSWER_MS, Date.now() + TIMEOUT_MS) };
    try {
      await this.rpc.call(jobsOperations.deleteJobs, { file_ids }, soon);
    } catch (error) {
      const about = { err: error, requestId: context.requestId, fileId: file_ids[0], files: file_ids.length };
      this.logger.warn(about, 'Deleting jobs by a direct call failed; the events of their files will delete them');
    }
  }
}
