// Creates the jobs that events request, or makes them ready once the bytes are stored. Idempotent.
import type { CloudEvent } from '@kiln/contracts';
import { providerFor } from '@kiln/extraction/routing';
import { WakeUp, type EventContext, type EventsContext } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { JobBatchStore } from './job-batch.store.js';
import type { JobRequest } from '../jobs/job.store.js';
import { wakeUpFor } from '../wake-ups.js';
import { UnmetRequestStore } from './unmet-request.store.js';

/** The provider that the request names, else the default for its content type. Null: the type is unknown, or no provider reads it. */
export function routeProvider(request: JobRequest) {
  return request.processing.provider ?? (request.content_type === null ? null : providerFor(request.content_type));
}

type Requested = CloudEvent<JobRequest>;

@Injectable()
export class RequestJob {
  constructor(
    private readonly unmetRequests: UnmetRequestStore,
    private readonly batches: JobBatchStore,
    private readonly wakeUp: WakeUp,
  ) {}

  /** The direct call has created most jobs before: those cost one read. */
  async execute(events: Requested[], { once }: EventsContext): Promise<void> {
    const unmet: Requested[] = [];
    for (const [tenantId, ofTenant] of byTenant(events)) {
      const requests = await this.unmetRequests.unmet(tenantId, ofTenant.map(requestOf));
      unmet.push(...ofTenant.filter(({ data }) => requests.has(data)));
    }
    if (unmet.length > 0) await once(unmet, (fresh, context) => this.upsert(fresh, context));
  }

  /** In the order of tenants, which prevents deadlocks. */
  private async upsert(events: Requested[], { transaction, afterCommit }: EventContext): Promise<void> {
    for (const [tenantId, ofTenant] of byTenant(events)) {
      const routed = ofTenant.map(({ data: request, traceparent }) => ({
        request,
        provider: routeProvider(request),
        traceparent,
      }));
      await this.batches.upsert(transaction, tenantId, routed);
    }
    afterCommit(() => wakeUpFor(this.wakeUp, events.map(requestOf)));
  }
}

const requestOf = ({ data }: Requested): JobRequest => data;

function byTenant(events: Requested[]): [tenantId: string, events: Requested[]][] {
  const groups = new Map<string, Requested[]>();
  for (const event of events) groups.set(event.tenantid, [...(groups.get(event.tenantid) ?? []), event]);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
