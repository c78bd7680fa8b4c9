// Keeps searches fast, in the background: merges the tails of tenants into their blocks, and purges removed passages.
//
// No table records which tenants need this. A long tail only slows searches down, and each search and each write measures it. So when a
// process dies, the next search or write requests the merge again.
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { MergeStore } from './merge.store.js';
import { PurgeStore } from './purge.store.js';

/** After a search, this many passages in the tail, or removed numbers outside windows, request a merge. A search reads 100 in about 0.5 ms. */
export const UNMERGED_MAX = 256;
/** After a write, a merge is requested at the largest size of a merge: each merge updates a row for every term that it contains. */
export const UNMERGED_UNSEARCHED_MAX = 512;
/** The safety poll. Requests wake the loop. */
const POLL_MS = 60_000;

@Injectable()
export class MergeWorker extends PollingLoop {
  /** Requested merges, the oldest first: the tenant, and how many unmerged passages a merge needs. */
  private readonly requests = new Map<string, number>();

  constructor(
    private readonly merges: MergeStore,
    private readonly purges: PurgeStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({ name: 'index merges', pollMs: POLL_MS, logger, round: () => this.round() });
  }

  /** `unmerged`: passages that a search read from the tenant's tail, or removed numbers outside windows if these are more. */
  afterSearch(tenantId: string, unmerged: number): void {
    this.request(tenantId, unmerged, UNMERGED_MAX);
  }

  /** `unmerged`: passages that a write counted in the tenant's tail. */
  afterWrite(tenantId: string, unmerged: number): void {
    this.request(tenantId, unmerged, UNMERGED_UNSEARCHED_MAX);
  }

  private request(tenantId: string, unmerged: number, threshold: number): void {
    if (unmerged < threshold) return;
    this.requests.set(tenantId, Math.min(threshold, this.requests.get(tenantId) ?? threshold));
    this.wakeUp();
  }

  /** One step for the tenant with the oldest request. Returns true when there may be more to do. */
  async round(): Promise<boolean> {
    const [next] = this.requests;
    if (next === undefined) return false;
    const [tenantId, threshold] = next;
    this.requests.delete(tenantId);
    try {
      if (await this.maintain(tenantId, threshold)) this.request(tenantId, threshold, threshold);
    } catch (error) {
      // The tenant's next search or write requests the merge again.
      this.logger.warn({ err: error, tenant_id: tenantId }, 'Merging the index of a tenant failed');
    }
    return this.requests.size > 0;
  }

  /** One transaction of each kind. Returns true when there is more to do. Merges `threshold` passages or more, never fewer. */
  async maintain(tenantId: string, threshold: number): Promise<boolean> {
    const merged = await this.merges.mergeTail(tenantId, threshold);
    const collected = await this.purges.collectRemoved(tenantId, threshold);
    const purged = await this.purges.purgeNext(tenantId);
    return merged || collected || purged;
  }
}
