// Creates the jobs that calls request, or makes them ready. Idempotent. Concurrent calls of one tenant share a statement.
import type { CallContext, JobsInput, JobsOutput } from '@kiln/contracts';
import { currentTrace, Database, GroupedCalls, WakeUp } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { JobBatchStore } from './job-batch.store.js';
import { wakeUpFor } from '../wake-ups.events.js';
import { routeProvider } from './request-job.usecase.js';

type Request = JobsInput<'createJobs'>['jobs'][number];

const STATEMENTS_IN_FLIGHT_MAX = 2;
const CALLS_PER_STATEMENT_MAX = 50;

@Injectable()
export class RequestJobs {
  private readonly calls: GroupedCalls<Request[], number>;

  constructor(
    private readonly database: Database,
    private readonly batches: JobBatchStore,
    private readonly wakeUp: WakeUp,
  ) {
    this.calls = new GroupedCalls((tenantId, calls) => this.upsert(tenantId, calls), {
      inFlightMax: STATEMENTS_IN_FLIGHT_MAX,
      callsMax: CALLS_PER_STATEMENT_MAX,
    });
  }

  async execute({ jobs }: JobsInput<'createJobs'>, { tenantId }: CallContext): Promise<JobsOutput<'createJobs'>> {
    const trace = currentTrace();
    const traced = trace ? jobs.map((job) => ({ traceparent: trace.traceparent, ...job })) : jobs;
    return { created: await this.calls.run(tenantId, traced) };
  }

  /** How many jobs of each call are new. */
  private async upsert(tenantId: string, calls: Request[][]): Promise<number[]> {
    const requests = calls.flat().map((request) => ({
      request,
      provider: routeProvider(request),
      traceparent: request.traceparent,
    }));
    const created = await this.batches.upsert(this.database, tenantId, requests);
    wakeUpFor(this.wakeUp, calls.flat());
    return calls.map((jobs) => jobs.filter(({ job_id }) => created.has(job_id)).length);
  }
}
