// Keeps searches short: merges the tails of tenants into their blocks and purges what was removed, in the background.
//
// Nothing records that a tenant needs this: a long tail costs searches only, and each search and each write sees how long it is.
// So a process that dies forgets nothing that the next search or write would not notice again.
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { MergeStore } from '../store/merge.store.js';
import { PurgeStore } from '../store/purge.store.js';

/** From so many passages in the tail, or removed numbers outside of windows, on: a search reads a hundred of them in about half a millisecond. */
export const WAITING_MAX = 256;
/** The loop is woken up when there is work; this is how it notices that it was not. */
const POLL_MS = 60_000;

@Injectable()
export class MaintainIndex implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop: PollingLoop;
  private readonly tenants = new Set<string>();

  constructor(
    private readonly merges: MergeStore,
    private readonly purges: PurgeStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.loop = new PollingLoop({ name: 'maintaining the index', pollMs: POLL_MS, logger, round: () => this.round() });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  /** `waiting`: passages in the tenant's tail, or removed numbers outside of windows. */
  notice(tenantId: string, waiting: number): void {
    if (waiting < WAITING_MAX) return;
    this.tenants.add(tenantId);
    this.loop.wakeUp();
  }

  /** One step for the tenant that waits longest; true when there may be more. */
  async round(): Promise<boolean> {
    const [tenantId] = this.tenants;
    if (tenantId === undefined) return false;
    this.tenants.delete(tenantId);
    try {
      if (await this.maintain(tenantId, WAITING_MAX)) this.tenants.add(tenantId);
    } catch (error) {
      // The next search or write of the tenant asks again; the others go on.
      this.logger.warn(
        { err: error, tenant_id: tenantId },
        'the index of a tenant was not merged; its searches go on without',
      );
    }
    return this.tenants.size > 0;
  }

  /** One transaction of each kind; true when there is more to do. Merges when at least `enough` waits. */
  async maintain(tenantId: string, enough: number): Promise<boolean> {
    const merged = await this.merges.mergeTail(tenantId, enough);
    const collected = await this.purges.collectRemoved(tenantId, enough);
    const purged = await this.purges.purgeNext(tenantId);
    return merged || collected || purged;
  }
}
