// Claims due syncs, renews their leases, and aborts a sync whose lease is lost: it was cancelled, its connection was deleted, or another
// worker reclaimed it.
import { PollingLoop, type Logger } from '@kiln/platform';
import type { RunSync, SyncOutcome } from './run-sync.usecase.js';
import type { SyncRow } from './sync.rows.js';
import { leaseOf, type HeldSyncs, type SyncStore } from './sync.store.js';

export interface SyncWorkerOptions {
  syncs: SyncStore;
  runSync: RunSync;
  concurrency: number;
  leaseSeconds: number;
  logger: Logger;
  onEnded: (outcome: SyncOutcome) => void;
  pollMs?: number;
}

interface RunningSync {
  sync: SyncRow;
  controller: AbortController;
}

/** The safety poll. */
const POLL_MS = 5_000;
const HEARTBEATS_PER_LEASE = 4;

export class SyncWorker {
  private readonly running = new Map<Promise<void>, RunningSync>();
  private readonly loop: PollingLoop;

  constructor(private readonly options: SyncWorkerOptions) {
    const { logger, pollMs = POLL_MS } = options;
    this.loop = new PollingLoop({
      name: 'running syncs',
      pollMs,
      logger,
      round: () => this.claim(),
      nextDueInMs: () => this.nextDueInMs(),
    });
  }

  get runningCount(): number {
    return this.running.size;
  }

  start(): void {
    this.loop.start();
  }

  /** A sync may be due. */
  wakeUp(): void {
    this.loop.wakeUp();
  }

  /** Releases the running syncs after their current page. */
  async stop(): Promise<void> {
    await this.loop.stop();
    for (const { controller } of this.running.values()) controller.abort();
    await Promise.all(this.running.keys());
  }

  private async claim(): Promise<boolean> {
    const { syncs, leaseSeconds } = this.options;
    if (this.freeSlots <= 0) return false;
    const claimed = await syncs.claim(this.freeSlots, leaseSeconds, this.held);
    for (const sync of claimed) this.begin(sync);
    return false;
  }

  /** While all slots are taken, the end of a sync starts the next round. */
  private async nextDueInMs(): Promise<number | null> {
    return this.freeSlots > 0 ? this.options.syncs.nextDueInMs(this.held) : null;
  }

  private get freeSlots(): number {
    return this.options.concurrency - this.running.size;
  }

  private get held(): HeldSyncs {
    const held = new Map<string, number>();
    for (const { sync } of this.running.values()) held.set(sync.tenant_id, (held.get(sync.tenant_id) ?? 0) + 1);
    return { held, heldMax: Math.max(1, Math.floor(this.options.concurrency / 2)) };
  }

  private begin(sync: SyncRow): void {
    const controller = new AbortController();
    const run = this.run(sync, controller).finally(() => {
      this.running.delete(run);
      this.loop.wakeUp();
    });
    this.running.set(run, { sync, controller });
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
      if (outcome !== 'completed' && outcome !== 'yielded')
        logger.info({ ...about, outcome }, 'Sync claim ended without completing the sync');
      onEnded(outcome);
    } catch (error) {
      logger.warn({ err: error, ...about }, 'Sync claim failed; the sync is reclaimed when its lease expires');
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** A sync was cancelled. Renewing finds out whether this worker runs it. */
  renewLeases(): void {
    for (const { sync, controller } of this.running.values()) void this.renew(sync, controller);
  }

  private async renew(sync: SyncRow, controller: AbortController): Promise<void> {
    try {
      if (!(await this.options.syncs.renew(leaseOf(sync), this.options.leaseSeconds))) controller.abort();
    } catch (error) {
      this.options.logger.warn({ err: error, syncId: sync.id }, 'Lease renewal failed');
    }
  }
}
