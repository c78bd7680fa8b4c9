// Claims due syncs, as many as there is room for, keeps their leases, and stops a walk whose lease is lost: its connection was
// deleted, or another worker has taken over.
import { PollingLoop, type Logger } from '@kiln/platform';
import type { RunSync, SyncOutcome } from '../usecases/run-sync.usecase.js';
import type { SyncRow } from '../store/sync.rows.js';
import { leaseOf, type SyncStore } from '../store/sync.store.js';

export interface SyncWorkerOptions {
  syncs: SyncStore;
  runSync: RunSync;
  concurrency: number;
  leaseSeconds: number;
  logger: Logger;
  onEnded: (outcome: SyncOutcome) => void;
}

const POLL_MS = 1_000;
const HEARTBEATS_PER_LEASE = 4;

export class SyncWorker {
  private readonly running = new Map<Promise<void>, AbortController>();
  private readonly loop: PollingLoop;

  constructor(private readonly options: SyncWorkerOptions) {
    const { logger } = options;
    this.loop = new PollingLoop({ name: 'syncing', pollMs: POLL_MS, logger, round: () => this.claim() });
  }

  get runningCount(): number {
    return this.running.size;
  }

  start(): void {
    this.loop.start();
  }

  /** There may be a sync to run. */
  wakeUp(): void {
    this.loop.wakeUp();
  }

  /** Gives back what is under way, after the page at hand. */
  async stop(): Promise<void> {
    await this.loop.stop();
    for (const controller of this.running.values()) controller.abort();
    await Promise.all(this.running.keys());
  }

  private async claim(): Promise<boolean> {
    const { syncs, concurrency, leaseSeconds } = this.options;
    const room = concurrency - this.running.size;
    if (room <= 0) return false;
    const claimed = await syncs.claim(room, leaseSeconds);
    for (const sync of claimed) this.begin(sync);
    return false;
  }

  private begin(sync: SyncRow): void {
    const controller = new AbortController();
    const run = this.run(sync, controller).finally(() => {
      this.running.delete(run);
      this.loop.wakeUp();
    });
    this.running.set(run, controller);
  }

  private async run(sync: SyncRow, controller: AbortController): Promise<void> {
    const { runSync, leaseSeconds, logger, onEnded } = this.options;
    const about = { syncId: sync.id, connectionId: sync.connection_id, tenantId: sync.tenant_id };
    const heartbeat = setInterval(
      () => void this.renew(sync, controller),
      (leaseSeconds * 1_000) / HEARTBEATS_PER_LEASE,
    );
    try {
      const outcome = await runSync.execute(sync, controller.signal);
      if (outcome !== 'completed') logger.info({ ...about, outcome }, 'a sync has not been completed');
      onEnded(outcome);
    } catch (error) {
      logger.warn({ err: error, ...about }, 'a sync was interrupted; it goes on when its lease ends');
    } finally {
      clearInterval(heartbeat);
    }
  }

  private async renew(sync: SyncRow, controller: AbortController): Promise<void> {
    try {
      if (!(await this.options.syncs.renew(leaseOf(sync), this.options.leaseSeconds))) controller.abort();
    } catch (error) {
      this.options.logger.warn({ err: error, syncId: sync.id }, 'the lease of a sync was not renewed');
    }
  }
}
