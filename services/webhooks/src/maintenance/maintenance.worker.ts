// Creates the partitions of the coming days, drops expired ones, and reconciles the queue of webhooks with the deliveries. Every
// webhooks process runs it. A database lock admits one at a time.
import type { Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { EndpointQueueStore } from '../deliveries/endpoint-queue.store.js';
import { PartitionStore } from './partition.store.js';

const REPAIR_INTERVAL_MS = 30_000;
const PARTITIONS_INTERVAL_MS = 3_600_000;
const RETENTION_DAYS = 30;
/** Partitions are created so many days ahead, so that the service may be down for that long. */
const DAYS_AHEAD = 14;

/** Injection token: another clock. */
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

  /** Creates the current partitions before the service answers calls or consumes events. */
  async onModuleInit(): Promise<void> {
    await this.partitions.ensure(this.now(), DAYS_AHEAD);
    this.timer = setInterval(() => {
      this.round ??= this.runRound().finally(() => (this.round = null));
    }, REPAIR_INTERVAL_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
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

  /** Creates and drops partitions once. */
  async keepPartitions(): Promise<void> {
    const now = this.now();
    const made = await this.partitions.ensure(now, DAYS_AHEAD);
    const dropped = await this.partitions.drop(now, RETENTION_DAYS);
    this.partitionsKeptAt = now.getTime();
    if (made + dropped > 0) this.logger.info({ made, dropped }, 'Partitions created and dropped');
  }
}
