// Makes the job that a file asks for by its event, or makes it ready once the bytes are there. Safe to ask any number of times.
import { providerFor } from '@kiln/extraction/routing';
import { WakeUp, type EventContext } from '@kiln/platform';
import { JobStore, type JobRequest } from '../store/job.store.js';

/** What workers listen for. */
export const JOBS_WAKE_UP = 'jobs';

/** The request's own choice, else by content type; null until the type is known, or when nothing fits. */
export function routeProvider(request: JobRequest) {
  return request.processing.provider ?? (request.content_type === null ? null : providerFor(request.content_type));
}

export class RequestJob {
  constructor(
    private readonly jobs: JobStore,
    private readonly wakeUp: WakeUp,
  ) {}

  async executeWithin(
    { transaction, afterCommit }: EventContext,
    tenantId: string,
    request: JobRequest,
  ): Promise<void> {
    const changed = await this.jobs.upsert(transaction, tenantId, request, routeProvider(request));
    if (changed && request.ready) afterCommit(() => this.wakeUp.send(JOBS_WAKE_UP));
  }
}
