// Creates the partitions of the coming days and drops expired ones. Every analytics process runs it. A database lock admits one at a
// time.
import { REQUEST_LOG_DAYS } from '@kiln/contracts';
import { DayPartitions, PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable, Optional } from '@nestjs/common';

const INTERVAL_MS = 3_600_000;
export const LOGGED_DAYS = {
  tables: ['logged_requests'],
  daysBefore: REQUEST_LOG_DAYS,
  daysAhead: 14,
  keptDays: REQUEST_LOG_DAYS,
};

/** Injection token: another clock. */
export const PARTITION_CLOCK = Symbol('partition clock');

@Injectable()
export class PartitionWorker extends PollingLoop {
  constructor(
    private readonly partitions: DayPartitions,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(PARTITION_CLOCK) private readonly now = () => new Date(),
  ) {
    super({ name: 'partitions', pollMs: INTERVAL_MS, logger, round: () => this.keep().then(() => false) });
  }

  /** Creates the current partitions before the service consumes events. */
  async onModuleInit(): Promise<void> {
    await this.partitions.ensure(this.now());
  }

  async keep(): Promise<void> {
    const now = this.now();
    const made = await this.partitions.ensure(now);
    const dropped = await this.partitions.drop(now);
    if (made + dropped > 0) this.logger.info({ made, dropped }, 'Partitions created and dropped');
  }
}
