// Makes the partitions of the days to come, drops those of days that are no longer kept, and repairs the queue of endpoints should it
// ever have lost one. Every webhooks process runs it; a lock in the database makes them take turns.
import type { Logger } from '@kiln/platform';
import type { EndpointQueueStore } from '../store/endpoint-queue.store.js';
import type { PartitionStore } from '../store/partition.store.js';

export interface MaintenanceWorkerOptions {
  partitions: PartitionStore;
  endpoints: EndpointQueueStore;
  logger: Logger;
  now?: () => Date;
}

const REPAIR_INTERVAL_MS = 30_000;
const PARTITIONS_INTERVAL_MS = 3_600_000;
const RETENTION_DAYS = 30;
/** How long everything may stand still before a day lacks its partition. */
const DAYS_AHEAD = 14;

export class MaintenanceWorker {
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private partitionsKeptAt = -Infinity;

  constructor(private readonly options: MaintenanceWorkerOptions) {}

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
      await this.options.endpoints.restore();
      if (this.now().getTime() - this.partitionsKeptAt >= PARTITIONS_INTERVAL_MS) await this.keepPartitions();
    } catch (error) {
      this.options.logger.warn({ err: error }, 'maintenance failed; the next round will try again');
    }
  }

  /** One round of it. */
  async keepPartitions(): Promise<void> {
    const { partitions, logger } = this.options;
    const now = this.now();
    const made = await partitions.ensure(now, DAYS_AHEAD);
    const dropped = await partitions.drop(now, RETENTION_DAYS);
    this.partitionsKeptAt = now.getTime();
    if (made + dropped > 0) logger.info({ made, dropped }, 'partitions kept');
  }

  private now(): Date {
    return this.options.now?.() ?? new Date();
  }
}
