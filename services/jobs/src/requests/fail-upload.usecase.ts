// An upload failed: its bytes never arrived, or were refused. The waiting job fails for the same reason.
import { unavailable, type FileLabels, type JobError } from '@kiln/contracts';
import { appendEvents, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { jobFailed } from '../jobs/job.events.js';
import { DeletedFileStore } from './deleted-file.store.js';
import { JobStore } from '../jobs/job.store.js';

@Injectable()
export class FailUpload {
  constructor(
    private readonly jobs: JobStore,
    private readonly deletedFiles: DeletedFileStore,
  ) {}

  async execute(
    transaction: Transaction,
    { tenantId, fileId, jobId }: { tenantId: string; fileId: string; jobId: string },
    { error, ...labels }: FileLabels & { error: JobError },
  ): Promise<void> {
    // First whether the job exists: one that is created between the two statements would otherwise seem to have failed before.
    if (!(await this.jobs.exists(transaction, tenantId, jobId))) {
      if (await this.deletedFiles.isDeleted(transaction, tenantId, fileId)) return;
      // Events of different types arrive in any order. The request that creates the job may arrive later.
      throw unavailable('The job of this upload');
    }
    const failed = await this.jobs.failWaiting(transaction, tenantId, jobId, error);
    if (failed) await appendEvents(transaction, jobFailed(failed, error, labels));
  }
}
