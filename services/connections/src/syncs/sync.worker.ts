// Claims due syncs, renews their leases, and aborts a sync whose lease is lost: it was cancelled, its connection was deleted, or another
// worker reclaimed it.
import type { Logger } from '@kiln/platform';
import { ClaimLoop } from '../claims/claim-loop.worker.js';
import type { RunSync, SyncOutcome } from './run-sync.usecase.js';
import type { SyncRow } from './sync.rows.js';
import { leaseOf, type SyncStore } from './sync.store.js';

export interface SyncWorkerOptions {
  syncs: SyncStore;
  runSync: RunSync;
  concurrency: number;
  leaseSeconds: number;
  logger: Logger;
  onEnded: (outcome: SyncOutcome) => void;
  pollMs?: number;
}

const HEARTBEATS_PER_LEASE = 4;

/** Stopping releases the running syncs after their current page. */
export class SyncWorker extends ClaimLoop<SyncRow> {
  constructor(private readonly parts: SyncWorkerOptions) {
    const { syncs, leaseSeconds, concurrency, logger, pollMs } = parts;
    super({
      name: 'running syncs',
      concurrency,
      logger,
      pollMs,
      claim: (count, held) => syncs.claim(count, leaseSeconds, held),
      nextDueInMs: (held) => syncs.nextDueInMs(held),
      run: (sync, controller) => this.runSync(sync, controller),
    });
  }

  private async runSync(sync: SyncRow, controller: AbortController): Promise<void> {
    const { runSync, leaseSeconds, logger, onEnded } = this.parts;
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
    for (const { work, controller } of this.runs.values()) void this.renew(work, controller);
  }

  private async renew(sync: SyncRow, controller: AbortController): Promise<void> {
    try {
      if (!(await this.parts.syncs.renew(leaseOf(sync), this.parts.leaseSeconds))) controller.abort();
    } catch (error) {
      this.parts.logger.warn({ err: error, syncId: sync.id }, 'Lease renewal failed');
    }
  }
}
