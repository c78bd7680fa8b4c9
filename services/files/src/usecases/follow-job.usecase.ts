// A caller has cancelled or retried a job: its file follows, unless it has a newer one. Runs from before are refused from then on.
import {
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type filesOperations,
} from '@kiln/contracts';
import { Database, type Queryable } from '@kiln/platform';
import { FileStore } from '../store/file.store.js';

type FollowJobOperation = (typeof filesOperations)['followJob'];
type JobChange = OperationInput<FollowJobOperation>;

export class FollowJob {
  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
  ) {}

  async execute(change: JobChange, { tenantId }: CallContext): Promise<OperationOutput<FollowJobOperation>> {
    await this.executeWithin(this.database, tenantId, change);
    return {};
  }

  executeWithin(on: Queryable, tenantId: string, { file_id, job_id, fence, status }: JobChange): Promise<void> {
    const run = { tenantId, fileId: uuidOf('file', file_id), jobId: uuidOf('job', job_id), fence };
    return status === 'cancelled' ? this.files.releaseFromJob(on, run) : this.files.takeUpJob(on, run);
  }
}
