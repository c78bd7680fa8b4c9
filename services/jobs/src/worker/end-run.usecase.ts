// Ends a run: completes, fails, retries, postpones, cancels or releases its job, under the fencing token of the run. While the database is
// unavailable it retries until the lease would have expired. After that the job is reclaimed, and its next run finds every step completed.
// If the database refuses the last report, the run ends without it.
import { CodedError, encodeId, type FileLabels, type JobError } from '@kiln/contracts';
import { appendEvents, Database, type Logger } from '@kiln/platform';
import { retry } from '@kiln/resilience';
import type { RunReport } from '../runs/domain/run-report.js';
import { judge, postponeDelaySeconds, retryDelaySeconds } from '../runs/domain/failure.js';
import { CompletionStore, type FinishedRun } from '../leases/completion.store.js';
import { jobCancelled, jobFailed } from '../jobs/job.events.js';
import type { ClaimedJob } from '../jobs/job.rows.js';
import type { Lease, LeaseStore } from '../leases/lease.store.js';

interface FailedRun {
  job: ClaimedJob;
  lease: Lease;
  report?: RunReport | null;
  /** What callers say about the file. Undefined if the run has not begun. */
  labels?: FileLabels | undefined;
}

type WriteEnd = (report: RunReport | null) => Promise<void>;

const RETRY_MS = 500;

const isUnavailable = (error: unknown) => error instanceof CodedError && error.retryable;

export class EndRun {
  private readonly completions: CompletionStore;

  constructor(
    private readonly database: Database,
    private readonly leases: LeaseStore,
    private readonly retrySeconds: number,
    private readonly logger: Logger,
  ) {
    this.completions = new CompletionStore(database);
  }

  complete(finished: FinishedRun): Promise<void> {
    return this.end(finished.report ?? null, (report) => this.completions.completeOne({ ...finished, report }));
  }

  /** `thrown`: what the run threw. */
  async fail({ job, lease, report = null, labels }: FailedRun, thrown: unknown): Promise<void> {
    const runs = job.attempts - job.attempts_before_retry;
    const verdict = judge(thrown, { failures: job.failures, runs });
    if (verdict.kind !== 'await')
      this.logger.warn(
        { err: thrown, jobId: encodeId('job', job.id), tenantId: job.tenant_id, verdict: verdict.kind },
        'Run failed',
      );
    switch (verdict.kind) {
      case 'await': {
        const again = { error: null, counted: false, forgiven: true, awaitsExtraction: true };
        const { delaySeconds } = verdict;
        return this.end(report, (last) => this.leases.release(lease, { ...again, delaySeconds }, last));
      }
      case 'fail':
        return this.end(report, (last) => this.failJob(lease, { error: verdict.error, labels }, last));
      case 'cancel':
        return this.end(report, (last) => this.cancel(lease, last));
      case 'retry': {
        const delaySeconds = Math.max(verdict.delaySecondsMin, retryDelaySeconds(job.failures, Math.random));
        const again = { error: verdict.error, counted: true, delaySeconds };
        return this.end(report, (last) => this.leases.release(lease, again, last));
      }
      case 'postpone': {
        const { error, forgiven, isOutage } = verdict;
        // `runs` does not grow while runs are forgiven.
        const tries = isOutage ? job.attempts : runs;
        const delaySeconds = Math.max(verdict.delaySecondsMin, postponeDelaySeconds(tries, Math.random));
        const again = { error, counted: false, delaySeconds, forgiven };
        return this.end(report, (last) => this.leases.release(lease, again, last));
      }
    }
  }

  /** The worker stops: returns the job to the queue without counting a failure. */
  async release(lease: Lease, report: RunReport | null = null): Promise<void> {
    const again = { error: null, counted: false, delaySeconds: 0 };
    await this.withOrWithout(report, (last) => this.leases.release(lease, again, last));
  }

  /** The job was superseded or its file deleted. */
  private cancel(lease: Lease, report: RunReport | null): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const cancelled = await this.leases.cancel(transaction, lease, report);
      if (cancelled) await appendEvents(transaction, jobCancelled(cancelled));
    });
  }

  private failJob(
    lease: Lease,
    { error, labels }: Pick<FailedRun, 'labels'> & { error: JobError },
    report: RunReport | null,
  ): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const failed = await this.leases.fail(transaction, lease, error, report);
      if (failed) await appendEvents(transaction, jobFailed(failed, error, labels));
    });
  }

  private end(report: RunReport | null, write: WriteEnd): Promise<void> {
    return this.retryWhileUnavailable(() => this.withOrWithout(report, write));
  }

  private async withOrWithout(report: RunReport | null, write: WriteEnd): Promise<void> {
    try {
      await write(report);
    } catch (error) {
      if (report === null || isUnavailable(error)) throw error;
      this.logger.error({ err: error }, 'Ending a run with its last report failed; it ends without the report');
      await write(null);
    }
  }

  private retryWhileUnavailable(write: () => Promise<void>): Promise<void> {
    const until = Date.now() + this.retrySeconds * 1_000;
    return retry(write, { waitMs: (error) => (isUnavailable(error) && Date.now() <= until ? RETRY_MS : null) });
  }
}
