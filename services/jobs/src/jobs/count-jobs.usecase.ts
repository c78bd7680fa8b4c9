// Counts the jobs of a tenant by status.
import { jobStatuses, type CallContext, type JobsOutput } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { JobStore } from './job.store.js';

type Output = JobsOutput<'countJobs'>;

@Injectable()
export class CountJobs {
  constructor(private readonly jobs: JobStore) {}

  async execute({ tenantId }: CallContext): Promise<Output> {
    const rows = await this.jobs.counts(tenantId);
    const countOf = new Map(rows.map(({ status, jobs }) => [status, jobs]));
    const counts = jobStatuses.map((status) => [status, countOf.get(status) ?? 0]);
    return { status_counts: Object.fromEntries(counts) as Output['status_counts'] };
  }
}
