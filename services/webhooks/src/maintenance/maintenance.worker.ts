// Creates the partitions of the coming days, drops expired ones, and reconciles the queue of webhooks with the deliveries. Every
// webhooks process runs it. A database lock admits one at a time.
import { DayPartitions, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { EndpointQueueStore } from '../deliveries/endpoint-queue.store.js';

const REPAIR_INTERVAL_MS = 30_000;
const PARTITIONS_INTERVAL_MS = 3_600_000;
/** An event is in the partition of the day on which it happened. The broker redelivers it for up to a week. */
export const EVENT_DAYS = {
  tables: ['webhook_events', 'finished_deliveries', 'delivery_attempts'],
  daysBefore: 8,
  daysAhead: 14,
  keptDays: 30,
};

/** Injection token: another clock. */
export const MAINTENANCE_CLOCK = Symbol('maintenance clock');

@Injectable()
export class MaintenanceWorker {
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private partitionsKeptAt = -Infinity;

  constructor(
    private readonly partitions: DayPartitions,
    private readonly endpoints: EndpointQueueStore,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(MAINTENANCE_CLOCK) private readonly now = () => new Date(),
  ) {}

  /** Creates the current partitions before the service answers calls or consumes events. */
  async onModuleInit(): Promise<void> {
    await this.partitions.ensure(this.now());
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
    const made = await this.partitions.ensure(now);
    // The outcome of a delivery needs a partition.
    await this.endpoints.deleteQueued(now, EVENT_DAYS.keptDays);
    const dropped = await this.partitions.drop(now);
    this.partitionsKeptAt = now.getTime();
    if (made + dropped > 0) this.logger.info({ made, dropped }, 'Partitions created and dropped');
  }
}
