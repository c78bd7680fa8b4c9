import { notFound, uuidOf, type CallContext, type JobsInput, type JobsOutput } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { timelineOf } from '../runs/domain/run-timeline.js';
import { JobTimelineStore } from './job-timeline.store.js';
import { jobView } from './job.rows.js';

@Injectable()
export class GetJob {
  constructor(private readonly timelines: JobTimelineStore) {}

  async execute({ id }: JobsInput<'getJob'>, { tenantId }: CallContext): Promise<JobsOutput<'getJob'>> {
    const found = await this.timelines.get(tenantId, uuidOf('job', id));
    if (!found) throw notFound('No job has this id.');
    return { ...jobView(found.job), timeline: timelineOf(found.runs) };
  }
}
