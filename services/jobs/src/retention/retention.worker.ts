// Deletes the jobs that a newer job of their file has superseded for long enough. Every process of the API role runs it; the mark of retention
// admits one at a time.
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { RetentionStore } from './retention.store.js';

const POLL_MS = 60_000;

@Injectable()
export class RetentionWorker extends PollingLoop {
  constructor(
    private readonly retention: RetentionStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({ name: 'retention of jobs', pollMs: POLL_MS, logger, round: () => this.round() });
  }

  private async round(): Promise<boolean> {
    const { deleted, hasMore } = await this.retention.deleteBatch();
    if (deleted > 0) this.logger.info({ count: deleted }, 'Superseded jobs deleted');
    return hasMore;
  }
}
