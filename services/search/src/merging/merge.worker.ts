// Keeps searches fast, in the background: merges the tails of tenants into their blocks, and purges removed passages.
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { MergeMetrics } from './merge.metrics.js';
import { MergeRequests, UNMERGED_MAX } from './merge-requests.service.js';
import { PurgeStore } from './purge.store.js';
import { TAILS, type Tails } from './tails.port.js';

/** The safety poll. Requests wake the loop. */
const POLL_MS = 60_000;

@Injectable()
export class MergeWorker extends PollingLoop {
  private polledAt = -Infinity;

  constructor(
    @Inject(TAILS) private readonly tails: Tails,
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
    if (!request) return this.poll();
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
    return this.requests.waitingCount > 0;
  }

  /** Returns true when there are tenants to serve. */
  private async poll(): Promise<boolean> {
    if (!this.tails.tenantsBehind || performance.now() - this.polledAt < POLL_MS) return false;
    this.polledAt = performance.now();
    for (const tenantId of await this.tails.tenantsBehind()) this.requests.afterRemoval(tenantId, UNMERGED_MAX);
    return this.requests.waitingCount > 0;
  }

  /** Runs one transaction of each kind. Returns true when there is more to do. Merges at least `threshold` passages. */
  async maintain(tenantId: string, threshold: number): Promise<boolean> {
    const merged = await this.tails.mergeTail(tenantId, threshold);
    const collected = await this.purges.collectRemoved(tenantId, threshold);
    const purged = await this.purges.purgeNext(tenantId);
    return merged || collected || purged;
  }
}
