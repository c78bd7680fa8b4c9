// Creates the partitions of the coming days, drops expired ones, and repairs the queue of endpoints if it
// has lost one. Every webhooks process runs it; a database lock lets one at a time work.
import type { Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { EndpointQueueStore } from '../deliveries/endpoint-queue.store.js';
import { PartitionStore } from './partition.store.js';

const REPAIR_INTERVAL_MS = 30_000;
const PARTITIONS_INTERVAL_MS = 3_600_000;
const RETENTION_DAYS = 30;
/** How long everything may stand still before a day lacks its partition. */
const DAYS_AHEAD = 14;

/** Token of another clock. */
export const MAINTENANCE_CLOCK = Symbol('maintenance clock');

@Injectable()
export class MaintenanceWorker {
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private partitionsKeptAt = -Infinity;

  constructor(
    private readonly partitions: PartitionStore,
    private readonly endpoints: EndpointQueueStore,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(MAINTENANCE_CLOCK) private readonly now = () => new Date(),
  ) {}

  /** Makes sure of the partitions first; throws when they can't be made. */
  async start(): Promise<void> {
    await this.keepPartitions();
    this.timer = setInterval(() => {
      this.round ??= this.runRound().finally(() => (this.round = null));
    }, REPAIR_INTERVAL_MS);
  }

  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.round;
  }

  private async runRound(): Promise<void> {
    try {
      await this.endpoints.restore();
      if (this.now().getTime() - this.partitionsKeptAt >= PARTITIONS_INTERVAL_MS) await this.keepPartitions();
    } catch (error) {
      this.logger.warn({ err: error }, 'Maintenance failed; the next round retries');
    }
  }

  /** One round of it. */
  async keepPartitions(): Promise<void> {
    const now = this.now();
    const made = await this.partitions.ensure(now, DAYS_AHEAD);
    const dropped = await this.partitions.drop(now, RETENTION_DAYS);
    this.partitionsKeptAt = now.getTime();
    if (made + dropped > 0) this.logger.info({ made, dropped }, 'Partitions created and dropped');
  }
}
