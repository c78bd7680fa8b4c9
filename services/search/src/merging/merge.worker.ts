// Keeps searches fast, in the background: merges the tails of tenants into their blocks, and purges removed passages.
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { MergeMetrics } from './merge.metrics.js';
import { MergeRequests } from './merge-requests.service.js';
import { MergeStore } from './merge.store.js';
import { PurgeStore } from './purge.store.js';

/** The safety poll. Requests wake the loop. */
const POLL_MS = 60_000;

@Injectable()
export class MergeWorker extends PollingLoop {
  constructor(
    private readonly merges: MergeStore,
    private readonly purges: PurgeStore,
    private readonly requests: MergeRequests,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(MergeMetrics) private readonly metrics: Pick<MergeMetrics, 'stepped'>,
  ) {
    super({ name: 'index merges', pollMs: POLL_MS, logger, round: () => this.round() });
    requests.connect(this);
  }

  /** Does one step for the tenant with the oldest request. Returns true when there may be more to do. */
  async round(): Promise<boolean> {
    const request = this.requests.take();
    if (!request) return false;
    const { tenantId, threshold } = request;
    const startedAt = performance.now();
    try {
      if (await this.maintain(tenantId, threshold)) this.requests.repeat(request);
      this.metrics.stepped('ok', performance.now() - startedAt);
    } catch (error) {
      this.metrics.stepped('failed', performance.now() - startedAt);
      // The tenant's next search or write requests the merge again.
      this.logger.warn({ err: error, tenant_id: tenantId }, 'Merging the index of a tenant failed');
    }
    return !this.requests.isEmpty;
  }

  /** Runs one transaction of each kind. Returns true when there is more to do. Merges at least `threshold` passages. */
  async maintain(tenantId: string, threshold: number): Promise<boolean> {
    const merged = await this.merges.mergeTail(tenantId, threshold);
    const collected = await this.purges.collectRemoved(tenantId, threshold);
    const purged = await this.purges.purgeNext(tenantId);
    return merged || collected || purged;
  }
}
