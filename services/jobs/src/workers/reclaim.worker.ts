// Takes jobs back from workers that died, and keeps the queue's book-keeping true. Every jobs process runs it; rows are
// skipped when another is at them.
import type { Logger, WakeUp } from '@kiln/platform';
import { LeaseStore } from '../store/lease.store.js';
import { JOBS_WAKE_UP } from '../usecases/request-job.usecase.js';

const INTERVAL_MS = 5_000;
const BATCH_SIZE = 500;

export class ReclaimWorker {
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> = Promise.resolve();

  constructor(
    private readonly leases: LeaseStore,
    private readonly wakeUp: WakeUp,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.timer = setInterval(() => (this.round = this.runRound()), INTERVAL_MS);
  }

  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.round;
  }

  private async runRound(): Promise<void> {
    try {
      const count = await this.leases.reclaim(BATCH_SIZE);
      await this.leases.requeueTenants();
      if (count === 0) return;
      this.logger.warn({ count }, 'jobs reclaimed from workers that stopped renewing');
      this.wakeUp.send(JOBS_WAKE_UP);
    } catch (error) {
      this.logger.warn({ err: error }, 'reclaiming failed; the next round will try again');
    }
  }
}
