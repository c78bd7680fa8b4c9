// Writes down how a run ended, under its fence. While the database is away this is tried again until the lease would have
// been lost anyway; after that the job is reclaimed and its next run finds every step done.
import { CodedError, type JobError } from '@kiln/contracts';
import { appendEvents, Database, type Logger, type NewEvent } from '@kiln/platform';
import { judge, postponeDelaySeconds, retryDelaySeconds } from '../domain/failure.js';
import { jobCancelled, jobFailed } from '../store/job.events.js';
import type { ClaimedJob } from '../store/job.rows.js';
import type { Lease, LeaseStore } from '../store/lease.store.js';

const SETTLE_RETRY_MS = 500;

export class SettleJob {
  constructor(
    private readonly database: Database,
    private readonly leases: LeaseStore,
    private readonly settleSeconds: number,
    private readonly logger: Logger,
  ) {}

  /** `completed` is the event that is true with that. */
  async complete(lease: Lease, completed: NewEvent): Promise<void> {
    await this.insist(() =>
      this.database.transaction(async (transaction) => {
        if (await this.leases.complete(transaction, lease)) await appendEvents(transaction, [completed]);
      }),
    );
  }

  /** `thrown` is whatever the run threw. */
  async fail(job: ClaimedJob, lease: Lease, thrown: unknown): Promise<void> {
    const runs = job.attempts - job.attempts_before_retry;
    const verdict = judge(thrown, { failures: job.failures, runs });
    this.logger.warn({ err: thrown, jobId: job.id, tenantId: job.tenant_id, verdict: verdict.kind }, 'run ended early');
    switch (verdict.kind) {
      case 'fail':
        return this.insist(() => this.failForGood(lease, verdict.error));
      case 'cancel':
        return this.insist(() => this.cancel(lease));
      case 'retry': {
        const delaySeconds = Math.max(verdict.delaySecondsMin, retryDelaySeconds(job.failures, Math.random));
        return this.insist(() => this.leases.release(lease, { error: verdict.error, counted: true, delaySeconds }));
      }
      case 'postpone': {
        const delaySeconds = Math.max(verdict.delaySecondsMin, postponeDelaySeconds(runs, Math.random));
        const { error, forgiven } = verdict;
        return this.insist(() => this.leases.release(lease, { error, counted: false, delaySeconds, forgiven }));
      }
    }
  }

  /** The worker stops: the job goes back as if nothing had happened. */
  async giveBack(lease: Lease): Promise<void> {
    await this.leases.release(lease, { error: null, counted: false, delaySeconds: 0 });
  }

  /** The file follows if this is still its job. */
  private cancel(lease: Lease): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const cancelled = await this.leases.cancel(transaction, lease);
      if (cancelled) await appendEvents(transaction, jobCancelled(cancelled));
    });
  }

  private failForGood(lease: Lease, error: JobError): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const failed = await this.leases.fail(transaction, lease, error);
      if (failed) await appendEvents(transaction, jobFailed(failed, error));
    });
  }

  private async insist(write: () => Promise<void>): Promise<void> {
    const end = Date.now() + this.settleSeconds * 1_000;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        const away = error instanceof CodedError && error.retryable;
        if (!away || Date.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, SETTLE_RETRY_MS));
      }
    }
  }
}
