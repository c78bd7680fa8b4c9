// Continues runs over connections, one page at a time, round robin by tenant. It pauses while the event backlog is full, so that a bucket
// of millions of files delays neither the runs nor the events of other tenants.
import { CodedError, encodeId, internalContext } from '@kiln/contracts';
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { backoff } from '@kiln/resilience';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { SAFETY_POLL_MS } from '../config.js';
import { EventBacklog } from '../event-backlog.store.js';
import { ConnectionRunStore, type ConnectionRun } from './connection-run.store.js';
import { QueuePage, RUN_LEASE_SECONDS } from './queue-page.usecase.js';

/** Longest sleep after another process has released a run; see PollingLoop. */
const POLL_MS = 5_000;
/** While the event backlog is full, runs that are due wait. */
const PAUSE_MIN_MS = 1_000;
const STEP_TIMEOUT_MS = 20_000;
const RETRY_SECONDS = { first: 1, max: 60 };
/** Errors that a retry cannot cure: the quota is used up, or the connection was deleted. */
const FINAL_CODES = new Set(['QUOTA_EXCEEDED', 'NOT_FOUND']);

@Injectable()
export class ConnectionRunsWorker extends PollingLoop {
  private lastTenantId: string | null = null;

  constructor(
    private readonly runs: ConnectionRunStore,
    private readonly queuePage: QueuePage,
    private readonly backlog: EventBacklog,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(SAFETY_POLL_MS) pollMs = POLL_MS,
  ) {
    super({
      name: 'Queueing files of connections',
      pollMs,
      pauseMinMs: PAUSE_MIN_MS,
      logger,
      round: () => this.round(),
      nextDueInMs: () => runs.nextDueInMs(),
    });
  }

  /** Queues one page of a run. True when there may be more to do at once. */
  async round(): Promise<boolean> {
    if (await this.backlog.isFull()) return false;
    const run = await this.runs.claim(RUN_LEASE_SECONDS, this.lastTenantId);
    if (run === null) return false;
    this.lastTenantId = run.tenant_id;
    try {
      const about = {
        tenantId: run.tenant_id,
        requestId: encodeId('batch', run.batch_id),
        timeoutMs: STEP_TIMEOUT_MS,
      };
      const { rest } = await this.queuePage.execute(run, internalContext('files-worker', about));
      if (rest === 'pages') await this.runs.release(run, 0, false);
    } catch (error) {
      await this.handle(run, error);
    }
    return true;
  }

  private async handle(run: ConnectionRun, error: unknown): Promise<void> {
    const about = { batchId: encodeId('batch', run.batch_id), tenantId: run.tenant_id };
    if (error instanceof CodedError && FINAL_CODES.has(error.code)) {
      this.logger.info(
        { ...about, code: error.code },
        'Run over a connection ended before all of its files were queued',
      );
      await this.runs.abandon(run);
      return;
    }
    this.logger.warn({ err: error, ...about }, 'Queueing a page of a connection failed; it will be retried');
    await this.runs.release(run, backoff(RETRY_SECONDS, run.failures), true);
  }
}
