// Makes the job that a file asks for by its event, or makes it ready once the bytes are there. Safe to ask any number of times.
import { providerFor } from '@kiln/extraction/routing';
import { WakeUp, type CommitContext, type EventContext } from '@kiln/platform';
import { JobBatchStore } from '../store/job-batch.store.js';
import type { JobRequest } from '../store/job.store.js';

/** What workers listen for. */
export const JOBS_WAKE_UP = 'jobs';

/** The request's own choice, else by content type; null until the type is known, or when nothing fits. */
export function routeProvider(request: JobRequest) {
  return request.processing.provider ?? (request.content_type === null ? null : providerFor(request.content_type));
}

interface TenantRequest {
  tenantId: string;
  request: JobRequest;
}

export class RequestJob {
  constructor(
    private readonly batches: JobBatchStore,
    private readonly wakeUp: WakeUp,
  ) {}

  executeWithin({ together }: EventContext, tenantId: string, request: JobRequest): void {
    together(this.upsertAll, { tenantId, request });
  }

  /** In the order of tenants, so that two batches never wait for each other. */
  private readonly upsertAll = async (
    items: TenantRequest[],
    { transaction, afterCommit }: CommitContext,
  ): Promise<void> => {
    for (const tenantId of new Set(items.map((item) => item.tenantId).sort())) {
      const requests = items.filter((item) => item.tenantId === tenantId).map(({ request }) => request);
      const routed = requests.map((request) => ({ request, provider: routeProvider(request) }));
      await this.batches.upsert(transaction, tenantId, routed);
    }
    if (items.some(({ request }) => request.ready)) afterCommit(() => this.wakeUp.send(JOBS_WAKE_UP));
  };
}
