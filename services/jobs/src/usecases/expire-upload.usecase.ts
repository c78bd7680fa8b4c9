// The bytes never came within the lifetime of their URL: the waiting job fails, and says so.
import { unavailable, type JobError } from '@kiln/contracts';
import { appendEvents, type Transaction } from '@kiln/platform';
import { jobFailed } from '../store/job.events.js';
import { DeletedFileStore } from '../store/deleted-file.store.js';
import { JobStore } from '../store/job.store.js';

const error: JobError = {
  code: 'upload_expired',
  message: 'Nothing was uploaded before the signed URL expired. Create a new upload.',
  retryable: false,
};

export class ExpireUpload {
  constructor(
    private readonly jobs: JobStore,
    private readonly deletedFiles: DeletedFileStore,
  ) {}

  async execute(
    transaction: Transaction,
    { tenantId, fileId, jobId }: { tenantId: string; fileId: string; jobId: string },
  ): Promise<void> {
    const failed = await this.jobs.failWaiting(transaction, tenantId, jobId, error);
    if (failed) return appendEvents(transaction, jobFailed(failed, error));
    if (await this.jobs.find(transaction, tenantId, jobId)) return;
    if (await this.deletedFiles.isDeleted(transaction, tenantId, fileId)) return;
    // Events of different types come in any order: the request that makes the job is still on its way.
    throw unavailable('The job of this upload');
  }
}
