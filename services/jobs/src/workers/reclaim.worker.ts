// Takes jobs back from workers that died, and keeps the queue's book-keeping true. Every jobs process runs it; rows are
// skipped when another is at them.
import type { JobError } from '@kiln/contracts';
import { appendEvents, type Database, type Logger, type WakeUp } from '@kiln/platform';
import { jobFailed } from '../store/job.events.js';
import type { DeletedFileStore } from '../store/deleted-file.store.js';
import type { JobRow } from '../store/job.rows.js';
import type { LeaseStore } from '../store/lease.store.js';
import type { TenantQueueStore } from '../store/tenant-queue.store.js';
import { JOBS_WAKE_UP } from '../usecases/request-job.usecase.js';

export interface ReclaimWorkerOptions {
  database: Database;
  leases: LeaseStore;
  tenants: TenantQueueStore;
  deletedFiles: DeletedFileStore;
  wakeUp: WakeUp;
  logger: Logger;
}

const INTERVAL_MS = 5_000;
const LEASES_PER_ROUND = 500;
const DELETED_FILES_PER_ROUND = 5_000;
/** Restarts and outages cost a job a few; one that has lost this many takes its workers down with it. */
const LOST_LEASES_MAX = 10;

const error: JobError = {
  code: 'internal',
  message: 'Processing was cut off again and again. Retry the job; if it fails again, quote the job id to support.',
  retryable: true,
};

export class ReclaimWorker {
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;

  constructor(private readonly options: ReclaimWorkerOptions) {}

  start(): void {
    this.timer = setInterval(() => {
      // A slow database gets one round at a time.
      this.round ??= this.runRound().finally(() => (this.round = null));
    }, INTERVAL_MS);
  }

  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.round;
  }

  /** One round of what `start` repeats; never throws. */
  async runRound(): Promise<void> {
    const { tenants, deletedFiles, wakeUp, logger } = this.options;
    try {
      const jobs = await this.reclaim();
      await tenants.restore();
      await deletedFiles.confirm(DELETED_FILES_PER_ROUND);
      await deletedFiles.sweep(DELETED_FILES_PER_ROUND);
      if (jobs.length === 0) return;
      const failed = jobs.filter((job) => job.status === 'failed').length;
      logger.warn({ count: jobs.length, failed }, 'jobs reclaimed from workers that stopped renewing');
      wakeUp.send(JOBS_WAKE_UP);
    } catch (error) {
      logger.warn({ err: error }, 'reclaiming failed; the next round will try again');
    }
  }

  private reclaim(): Promise<JobRow[]> {
    const { database, leases } = this.options;
    return database.transaction(async (transaction) => {
      const limits = { limit: LEASES_PER_ROUND, lostLeasesMax: LOST_LEASES_MAX, error };
      const jobs = await leases.reclaim(transaction, limits);
      const failed = jobs.filter((job) => job.status === 'failed');
      await appendEvents(
        transaction,
        failed.flatMap((job) => jobFailed(job, error)),
      );
      return jobs;
    });
  }
}
