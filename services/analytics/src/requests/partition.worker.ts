// Creates the partitions of the coming days and drops expired ones. Every analytics process runs it. A database lock admits one at a
// time.
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { PartitionStore } from './partition.store.js';

const INTERVAL_MS = 3_600_000;
/** Partitions are created so many days ahead, so that the service may be down for that long. */
const DAYS_AHEAD = 14;

/** Injection token: another clock. */
export const PARTITION_CLOCK = Symbol('partition clock');

@Injectable()
export class PartitionWorker extends PollingLoop {
  constructor(
    private readonly partitions: PartitionStore,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(PARTITION_CLOCK) private readonly now = () => new Date(),
  ) {
    super({ name: 'partitions', pollMs: INTERVAL_MS, logger, round: () => this.keep().then(() => false) });
  }

  /** Creates the current partitions before the service consumes events. */
  async onModuleInit(): Promise<void> {
    await this.partitions.ensure(this.now(), DAYS_AHEAD);
  }

  async keep(): Promise<void> {
    const now = this.now();
    const made = await this.partitions.ensure(now, DAYS_AHEAD);
    const dropped = await this.partitions.drop(now);
    if (made + dropped > 0) this.logger.info({ made, dropped }, 'Partitions created and dropped');
  }
}
