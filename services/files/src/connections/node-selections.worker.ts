// Queues the nodes that syncs have selected, one selection at a time, round robin by tenant. It pauses while the event backlog is full.
import { CodedError, encodeId, internalContext } from '@kiln/contracts';
import { PollingLoop, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { backoff } from '@kiln/resilience';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { SAFETY_POLL_MS } from '../config.js';
import { EventBacklog } from '../event-backlog.store.js';
import { NodeSelectionStore, type NodeSelection } from './node-selection.store.js';
import { QueueSelection } from './queue-selection.usecase.js';

const POLL_MS = 5_000;
/** While the event backlog is full, selections that are due wait. */
const PAUSE_MIN_MS = 1_000;
const STEP_TIMEOUT_MS = 20_000;
/** A selection takes less time. */
const LEASE_SECONDS = 45;
const RETRY_SECONDS = { first: 1, max: 300 };
/** Pages become free with the next month or a larger plan. */
const QUOTA_RETRY_SECONDS = 3_600;

@Injectable()
export class NodeSelectionsWorker extends PollingLoop {
  private lastTenantId: string | null = null;

  constructor(
    private readonly selections: NodeSelectionStore,
    private readonly queueSelection: QueueSelection,
    private readonly backlog: EventBacklog,
    @Inject(LOGGER) private readonly logger: Logger,
    @Optional() @Inject(SAFETY_POLL_MS) pollMs = POLL_MS,
  ) {
    super({
      name: 'Queueing the nodes that syncs have selected',
      pollMs,
      pauseMinMs: PAUSE_MIN_MS,
      logger,
      round: () => this.round(),
      nextDueInMs: () => selections.nextDueInMs(),
    });
  }

  /** Works on one selection. True when there may be more to do at once. */
  async round(): Promise<boolean> {
    if (await this.backlog.isFull()) return false;
    const selection = await this.selections.claim(LEASE_SECONDS, this.lastTenantId);
    if (selection === null) return false;
    this.lastTenantId = selection.tenant_id;
    try {
      const about = {
        tenantId: selection.tenant_id,
        requestId: encodeId('batch', selection.id),
        timeoutMs: STEP_TIMEOUT_MS,
      };
      await this.queueSelection.execute(selection, internalContext('files-worker', about));
    } catch (error) {
      await this.handle(selection, error);
    }
    return true;
  }

  private async handle(selection: NodeSelection, error: unknown): Promise<void> {
    const { tenant_id: tenantId, connection_id } = selection;
    const about = { tenantId, connectionId: encodeId('connection', connection_id) };
    const code = error instanceof CodedError ? error.code : null;
    if (code === 'NOT_FOUND') return this.selections.abandon(selection);
    if (code === 'QUOTA_EXCEEDED') {
      this.logger.info(about, 'Automatic processing waits: the pages of the plan are used up');
      return this.selections.postponeTenant(tenantId, QUOTA_RETRY_SECONDS);
    }
    this.logger.warn({ err: error, ...about }, 'Queueing selected nodes failed; it will be retried');
    return this.selections.postpone(selection, backoff(RETRY_SECONDS, selection.failures));
  }
}
