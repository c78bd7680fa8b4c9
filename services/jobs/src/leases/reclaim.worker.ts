// Reclaims jobs from workers that died, and reconciles the queue of tenants and the tombstones of files. Every jobs process runs it; each
// skips rows that another has locked.
import type { JobError } from '@kiln/contracts';
import { appendEvents, PollingLoop, type Database, type Logger, type WakeUp } from '@kiln/platform';
import { lanes } from '../claims/lane.domain.js';
import { jobFailed } from '../jobs/job.events.js';
import type { DeletedFileStore } from '../requests/deleted-file.store.js';
import type { JobRow } from '../jobs/job.rows.js';
import type { LeaseStore } from './lease.store.js';
import type { TenantQueueStore } from '../claims/tenant-queue.store.js';
import { jobsWakeUp } from '../wake-ups.events.js';

export interface ReclaimWorkerOptions {
  database: Database;
  leases: LeaseStore;
  tenants: TenantQueueStore;
  deletedFiles: DeletedFileStore;
  wakeUp: Pick<WakeUp, 'send'>;
  logger: Logger;
  /** How often this worker looks when the next lease expires. It is less than a lease lasts, so it sees each lease before its end. */
  pollMs: number;
}

const UPKEEP_INTERVAL_MS = 30_000;
/** Another process may be reclaiming the expired leases. */
const PAUSE_MIN_MS = 1_000;
const JOBS_PER_ROUND = 500;
const DELETED_FILES_PER_ROUND = 5_000;
/** Restarts and outages cost a job a few leases. A job that has lost this many probably kills its workers. */
const LOST_LEASES_MAX = 10;

const error: JobError = {
  code: 'internal',
  message:
    'Processing was interrupted too often. Retry the job; if it fails again, include the job id when you contact support.',
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
        name: 'reconciling the queue of tenants and deleted files',
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

  /** Runs one round of each loop. */
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
    logger.warn({ count: jobs.length, failed }, 'Jobs with expired leases reclaimed');
    for (const lane of lanes) wakeUp.send(jobsWakeUp(lane));
    return jobs.length === JOBS_PER_ROUND;
  }

  private reclaim(): Promise<JobRow[]> {
    const { database, leases } = this.options;
    return database.transaction(async (transaction) => {
      const limits = { limit: JOBS_PER_ROUND, lostLeasesMax: LOST_LEASES_MAX, error };
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
