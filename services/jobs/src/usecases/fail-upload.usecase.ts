// The bytes of a file never came, or can not be taken: the waiting job fails for the same reason.
import { unavailable, type JobError } from '@kiln/contracts';
import { appendEvents, type Transaction } from '@kiln/platform';
import { jobFailed } from '../store/job.events.js';
import { DeletedFileStore } from '../store/deleted-file.store.js';
import { JobStore } from '../store/job.store.js';

export class FailUpload {
  constructor(
    private readonly jobs: JobStore,
    private readonly deletedFiles: DeletedFileStore,
  ) {}

  async execute(
    transaction: Transaction,
    { tenantId, fileId, jobId }: { tenantId: string; fileId: string; jobId: string },
    error: JobError,
  ): Promise<void> {
    const failed = await this.jobs.failWaiting(transaction, tenantId, jobId, error);
    if (failed) return appendEvents(transaction, jobFailed(failed, error));
    if (await this.jobs.find(transaction, tenantId, jobId)) return;
    if (await this.deletedFiles.isDeleted(transaction, tenantId, fileId)) return;
    // Events of different types come in any order: the request that makes the job is still on its way.
    throw unavailable('The job of this upload');
  }
}
