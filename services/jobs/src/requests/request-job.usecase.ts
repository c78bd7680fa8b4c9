// Creates the jobs that events request, or makes them ready once the bytes are stored. Idempotent: a job has its id from the request, and
// a deleted file has a tombstone. So no inbox is needed.
import type { CloudEvent } from '@kiln/contracts';
import { providerFor } from '@kiln/extraction/routing';
import { Database, WakeUp } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { JobBatchStore } from './job-batch.store.js';
import type { JobRequest } from '../jobs/job.store.js';
import { wakeUpFor } from '../wake-ups.events.js';
import { MissingJobStore } from './missing-job.store.js';

/** The provider that the request names, else the default for its content type. Null: the type is unknown, or no provider reads it. */
export function routeProvider(request: JobRequest) {
  return request.processing.provider ?? (request.content_type === null ? null : providerFor(request.content_type));
}

type Requested = CloudEvent<JobRequest>;

@Injectable()
export class RequestJob {
  constructor(
    private readonly database: Database,
    private readonly unmetRequests: MissingJobStore,
    private readonly batches: JobBatchStore,
    private readonly wakeUp: WakeUp,
  ) {}

  /** The direct call has created most jobs already. Such a job costs one read. */
  async execute(events: Requested[]): Promise<void> {
    for (const [tenantId, ofTenant] of Map.groupBy(events, ({ tenantid }) => tenantid)) {
      const unmet = await this.unmetRequests.unmet(tenantId, ofTenant.map(requestOf));
      if (unmet.size === 0) continue;
      const routed = ofTenant
        .filter(({ data }) => unmet.has(data))
        .map(({ data: request, traceparent }) => ({ request, provider: routeProvider(request), traceparent }));
      await this.batches.upsert(this.database, tenantId, routed);
      wakeUpFor(this.wakeUp, [...unmet]);
    }
  }
}

const requestOf = ({ data }: Requested): JobRequest => data;
