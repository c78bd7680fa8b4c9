// Applies the cancellation or retry of a job to its file, unless the file has a newer job. Earlier runs are refused from then on.
import { uuidOf, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Database, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { FileJobStore } from './file-job.store.js';

type JobChange = FilesInput<'followJob'>;

@Injectable()
export class FollowJob {
  constructor(
    private readonly database: Database,
    private readonly jobs: FileJobStore,
  ) {}

  async execute(change: JobChange, { tenantId }: CallContext): Promise<FilesOutput<'followJob'>> {
    await this.executeWithin(this.database, tenantId, change);
    return {};
  }

  executeWithin(on: Queryable, tenantId: string, { file_id, job_id, fence, status }: JobChange): Promise<void> {
    const run = { tenantId, fileId: uuidOf('file', file_id), jobId: uuidOf('job', job_id), fence };
    return status === 'cancelled' ? this.jobs.markCancelled(on, run) : this.jobs.markRetried(on, run);
  }
}
