// Keeps the copies of vectors up to date in the background, so that searches need not.
import { PollingLoop, type Logger } from '@kiln/platform';
import type { VectorSet } from '../vector-index.port.js';
import type { CopiedVectorIndex } from './copied-vector-index.adapter.js';
import type { Lag } from './vector-copies.port.js';
import type { VectorCopyRequests } from './vector-copy-requests.service.js';

/** The safety poll, for requests of processes that have died. */
const POLL_MS = 60_000;
const TENANTS_PER_POLL = 100;
/** After these, the next tenant is served. A batch has up to 4 MiB. */
const BATCHES_PER_ROUND = 16;

export class VectorCopyWorker extends PollingLoop {
  /** At the last safety poll. */
  lag: Lag = { copies: 0, changes: 0, tenantIds: [] };
  private polledAt = -Infinity;

  constructor(
    private readonly index: Pick<CopiedVectorIndex, 'copies' | 'writer'>,
    private readonly requests: VectorCopyRequests,
    private readonly setsOf: (tenantId: string) => Promise<readonly VectorSet[]>,
    logger: Logger,
    private readonly now = () => performance.now(),
  ) {
    super({ name: 'copies of vectors', pollMs: POLL_MS, logger, round: () => this.round() });
    requests.connect(this);
  }

  /** The current round ends early: it may make a graph, which can take minutes. */
  override async stop(): Promise<void> {
    const stopped = super.stop();
    await this.index.copies.close();
    await stopped;
  }

  /** Serves the tenant with the oldest request. Returns true when there may be more to do. */
  async round(): Promise<boolean> {
    const tenantId = this.requests.take();
    if (tenantId === null) return this.poll();
    await this.serve(tenantId);
    return true;
  }

  private async serve(tenantId: string): Promise<void> {
    for (const set of [...(await this.setsOf(tenantId)), ...(await this.index.copies.emptyOf(tenantId))]) {
      if (this.isStopping) return;
      if (set.dimensions > this.index.copies.dimensionsMax) continue;
      if ((await this.index.writer.update(set, BATCHES_PER_ROUND)) === 'behind') this.requests.request(tenantId);
    }
  }

  private async poll(): Promise<boolean> {
    if (this.now() - this.polledAt < POLL_MS) return false;
    const former = this.lag;
    this.lag = await this.index.copies.lag(TENANTS_PER_POLL);
    // While copies of many tenants are made, the next of them do not wait.
    const isProgressing = this.lag.tenantIds.length === TENANTS_PER_POLL && this.lag.copies < former.copies;
    this.polledAt = isProgressing ? -Infinity : this.now();
    for (const tenantId of this.lag.tenantIds) this.requests.request(tenantId);
    return this.lag.tenantIds.length > 0;
  }
}
