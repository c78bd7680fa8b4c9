import {
  notFound,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type jobsOperations,
} from '@kiln/contracts';
import { jobView } from '../store/job.rows.js';
import { JobStore } from '../store/job.store.js';

type GetJobOperation = (typeof jobsOperations)['getJob'];

export class GetJob {
  constructor(private readonly jobs: JobStore) {}

  async execute(
    { id }: OperationInput<GetJobOperation>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<GetJobOperation>> {
    const row = await this.jobs.get(tenantId, uuidOf('job', id));
    if (!row) throw notFound('No job has this id.');
    return jobView(row);
  }
}
