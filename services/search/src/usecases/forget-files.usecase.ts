// Deleted files leave the index: noted with their event, removed right after in batches.
import { PollingLoop, type EventContext, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { FileRemovalStore } from '../store/file-removal.store.js';
import { RefusedRunStore } from '../store/refused-run.store.js';

/** Longest wait when the hint was lost with its process. */
const POLL_MS = 5_000;
const TOMBSTONES_PER_ROUND = 1_000;

@Injectable()
export class ForgetFiles implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop: PollingLoop;

  constructor(
    private readonly removals: FileRemovalStore,
    private readonly refusedRuns: RefusedRunStore,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.loop = new PollingLoop({ name: 'forgetting files', pollMs: POLL_MS, logger, round: () => this.round() });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  async request({ transaction, afterCommit }: EventContext, tenantId: string, fileId: string): Promise<void> {
    await this.removals.request(transaction, tenantId, fileId);
    afterCommit(() => this.loop.wakeUp());
  }

  /** One batch; true when there may be more. */
  async round(): Promise<boolean> {
    if ((await this.removals.removeNext()) > 0) return true;
    await this.removals.forget(TOMBSTONES_PER_ROUND);
    await this.refusedRuns.forget(TOMBSTONES_PER_ROUND);
    return false;
  }
}
