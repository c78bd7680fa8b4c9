// Makes the jobs that files ask for by their events, or makes them ready once the bytes are there. Safe to ask any number of times.
import type { CloudEvent } from '@kiln/contracts';
import { providerFor } from '@kiln/extraction/routing';
import { WakeUp, type EventContext, type EventsContext } from '@kiln/platform';
import { JobBatchStore } from '../store/job-batch.store.js';
import type { JobRequest } from '../store/job.store.js';
import { UnmetRequestStore } from '../store/unmet-request.store.js';

/** What workers listen for. */
export const JOBS_WAKE_UP = 'jobs';

/** The request's own choice, else by content type; null until the type is known, or when nothing fits. */
export function routeProvider(request: JobRequest) {
  return request.processing.provider ?? (request.content_type === null ? null : providerFor(request.content_type));
}

type Requested = CloudEvent<JobRequest>;

export class RequestJob {
  constructor(
    private readonly unmetRequests: UnmetRequestStore,
    private readonly batches: JobBatchStore,
    private readonly wakeUp: WakeUp,
  ) {}

  /** Most were asked for directly before: those cost a look at their jobs and nothing else. */
  async execute(events: Requested[], { once }: EventsContext): Promise<void> {
    const unmet: Requested[] = [];
    for (const [tenantId, ofTenant] of byTenant(events)) {
      const requests = await this.unmetRequests.unmet(tenantId, ofTenant.map(requestOf));
      unmet.push(...ofTenant.filter(({ data }) => requests.has(data)));
    }
    if (unmet.length > 0) await once(unmet, (fresh, context) => this.upsert(fresh, context));
  }

  /** In the order of tenants, so that two batches never wait for each other. */
  private async upsert(events: Requested[], { transaction, afterCommit }: EventContext): Promise<void> {
    for (const [tenantId, ofTenant] of byTenant(events)) {
      const routed = ofTenant.map(requestOf).map((request) => ({ request, provider: routeProvider(request) }));
      await this.batches.upsert(transaction, tenantId, routed);
    }
    if (events.some(({ data }) => data.ready)) afterCommit(() => this.wakeUp.send(JOBS_WAKE_UP));
  }
}

const requestOf = ({ data }: Requested): JobRequest => data;

function byTenant(events: Requested[]): [tenantId: string, events: Requested[]][] {
  const groups = new Map<string, Requested[]>();
  for (const event of events) groups.set(event.tenantid, [...(groups.get(event.tenantid) ?? []), event]);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
