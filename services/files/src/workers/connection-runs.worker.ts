// Goes on with connections whose files are being queued, a page at a time, and waits while events pile up: a bucket of millions must
// not hold up anybody else's events.
import { CodedError, encodeId, modeOf, type CallContext } from '@kiln/contracts';
import { PollingLoop, type Logger } from '@kiln/platform';
import type { ConnectionRun, ConnectionRunStore } from '../store/connection-run.store.js';
import type { DeletionStore } from '../store/deletion.store.js';
import { RUN_LEASE_SECONDS, type ProcessConnection } from '../usecases/process-connection.usecase.js';

/** Longest wait for a run that another process has left. */
const POLL_MS = 5_000;
/** While events pile up, a run that is due waits for them. */
const PAUSE_MIN_MS = 1_000;
const STEP_TIMEOUT_MS = 20_000;
const EVENTS_WAITING_MAX = 5_000;
const RETRY_CAP_SECONDS = 60;
/** What no repeat cures: no room, or no connection any more. */
const ENDS = new Set(['QUOTA_EXCEEDED', 'NOT_FOUND']);

export interface ConnectionRunsParts {
  runs: ConnectionRunStore;
  processConnection: ProcessConnection;
  events: Pick<DeletionStore, 'eventsWaiting'>;
  logger: Logger;
  pollMs?: number;
}

export class ConnectionRunsWorker {
  private stopping = false;
  private readonly loop: PollingLoop;

  constructor(private readonly parts: ConnectionRunsParts) {
    const { runs, logger, pollMs = POLL_MS } = parts;
    this.loop = new PollingLoop({
      name: 'queueing files of connections',
      pollMs,
      pauseMinMs: PAUSE_MIN_MS,
      logger,
      round: () => this.round(),
      nextDueInMs: () => runs.nextDueInMs(),
    });
  }

  start(): void {
    this.loop.start();
  }

  wakeUp(): void {
    this.loop.wakeUp();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.loop.stop();
  }

  /** Works on one run until it ends, fails, or events pile up; true when there may be more to do at once. */
  async round(): Promise<boolean> {
    if (await this.isCrowded()) return false;
    const run = await this.parts.runs.claim(RUN_LEASE_SECONDS);
    if (run === null) return false;
    try {
      while (!this.stopping && !(await this.isCrowded())) {
        const { rest } = await this.parts.processConnection.step(run, contextOf(run));
        if (rest !== 'pages') return true;
      }
      await this.parts.runs.release(run, 0, false);
      return false;
    } catch (error) {
      await this.handle(run, error);
      return true;
    }
  }

  private async handle(run: ConnectionRun, error: unknown): Promise<void> {
    const { runs, logger } = this.parts;
    const about = { batchId: encodeId('batch', run.batch_id), tenantId: run.tenant_id };
    if (error instanceof CodedError && ENDS.has(error.code)) {
      logger.info({ ...about, code: error.code }, 'the files of a connection are not all queued');
      await runs.abandon(run);
      return;
    }
    logger.warn({ err: error, ...about }, 'queueing the files of a connection failed; it goes on');
    await runs.release(run, Math.min(RETRY_CAP_SECONDS, 2 ** run.failures), true);
  }

  private async isCrowded(): Promise<boolean> {
    return (await this.parts.events.eventsWaiting(EVENTS_WAITING_MAX)) >= EVENTS_WAITING_MAX;
  }
}

function contextOf(run: ConnectionRun): CallContext {
  return {
    requestId: encodeId('batch', run.batch_id),
    tenantId: run.tenant_id,
    mode: modeOf(run.tenant_id),
    principal: 'files-worker',
    deadlineAt: Date.now() + STEP_TIMEOUT_MS,
  };
}
