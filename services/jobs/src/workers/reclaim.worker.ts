// Takes jobs back from workers that died, and keeps the queue's book-keeping true. Every jobs process runs it; rows are
// skipped when another is at them.
import type { JobError } from '@kiln/contracts';
import { appendEvents, PollingLoop, type Database, type Logger, type WakeUp } from '@kiln/platform';
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
  wakeUp: Pick<WakeUp, 'send'>;
  logger: Logger;
  /** Longest wait before a lease is noticed; less than a lease lasts, so that each is noticed before it ends. */
  pollMs: number;
}

const UPKEEP_INTERVAL_MS = 30_000;
/** Leases that have ended may be in the hands of another process. */
const PAUSE_MIN_MS = 1_000;
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
  private readonly loops: PollingLoop[];

  constructor(private readonly options: ReclaimWorkerOptions) {
    const { leases, logger, pollMs } = options;
    this.loops = [
      new PollingLoop({
        name: 'reclaiming jobs',
        pollMs,
        pauseMinMs: PAUSE_MIN_MS,
        logger,
        round: () => this.reclaimRound(),
        nextDueInMs: () => leases.nextEndInMs(),
      }),
      new PollingLoop({
        name: 'keeping the queue of tenants and the deleted files',
        pollMs: UPKEEP_INTERVAL_MS,
        logger,
        round: () => this.upkeepRound(),
      }),
    ];
  }

  start(): void {
    for (const loop of this.loops) loop.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  /** One round of all that `start` repeats. */
  async runRound(): Promise<void> {
    await this.reclaimRound();
    await this.upkeepRound();
  }

  private async upkeepRound(): Promise<boolean> {
    const { tenants, deletedFiles } = this.options;
    await tenants.restore();
    const confirmed = await deletedFiles.confirm(DELETED_FILES_PER_ROUND);
    await deletedFiles.sweep(DELETED_FILES_PER_ROUND);
    return confirmed === DELETED_FILES_PER_ROUND;
  }

  private async reclaimRound(): Promise<boolean> {
    const { wakeUp, logger } = this.options;
    const jobs = await this.reclaim();
    if (jobs.length === 0) return false;
    const failed = jobs.filter((job) => job.status === 'failed').length;
    logger.warn({ count: jobs.length, failed }, 'jobs reclaimed from workers that stopped renewing');
    wakeUp.send(JOBS_WAKE_UP);
    return true;
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
