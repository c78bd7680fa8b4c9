import {
  notFound,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type jobsOperations,
} from '@kiln/contracts';
import { timelineOf } from '../domain/run-timeline.js';
import { JobTimelineStore } from '../store/job-timeline.store.js';
import { jobView } from '../store/job.rows.js';

type GetJobOperation = (typeof jobsOperations)['getJob'];

export class GetJob {
  constructor(private readonly timelines: JobTimelineStore) {}

  async execute(
    { id }: OperationInput<GetJobOperation>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<GetJobOperation>> {
    const found = await this.timelines.get(tenantId, uuidOf('job', id));
    if (!found) throw notFound('No job has this id.');
    return { ...jobView(found.job), timeline: timelineOf(found.runs) };
  }
}
