// One claim of a sync: lists its share of the bucket, and once all of it has been listed removes what the bucket no longer holds.
import { FAILURES_MAX } from '../domain/sync-fault.js';
import { removesTooMany, tooManyDeletions } from '../domain/sync-limits.js';
import { NOTHING_LOOKED_AT, type Looked } from '../store/sync-page.store.js';
import type { SyncRow } from '../store/sync.rows.js';
import { leaseOf } from '../store/sync.store.js';
import type { EndSync } from './end-sync.js';
import { LeaseLostError, WalkBucket, type WalkBucketParts } from './walk-bucket.js';

export interface RunSyncParts extends WalkBucketParts {
  end: EndSync;
}

/** `yielded`: it waits for its next turn. */
export type SyncOutcome = 'completed' | 'failed' | 'yielded' | 'postponed' | 'released' | 'lost';

/** Nodes that one statement looks at. */
const LOOK_AT = 10_000;

export class RunSync {
  private readonly walk: WalkBucket;

  constructor(private readonly parts: RunSyncParts) {
    this.walk = new WalkBucket(parts);
  }

  async execute(sync: SyncRow, signal: AbortSignal): Promise<SyncOutcome> {
    try {
      return await this.run(sync, signal);
    } catch (error) {
      if (error instanceof LeaseLostError) return 'lost';
      throw error;
    }
  }

  private async run(sync: SyncRow, signal: AbortSignal): Promise<SyncOutcome> {
    const { syncs, end } = this.parts;
    try {
      if (sync.failures >= FAILURES_MAX) throw new Error(`${sync.failures} claims have died`);
      if (!sync.listed && !(await this.walk.execute(sync, signal))) {
        await syncs.release(leaseOf(sync));
        return 'yielded';
      }
      await this.assertMayRemove(sync, signal);
      await this.removeUnseen(sync, signal);
      return await end.complete(sync);
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      if (!signal.aborted) return end.afterFailure(sync, error);
      await syncs.release(leaseOf(sync));
      return 'released';
    }
  }

  /** Throws BucketError. A removal that was cut off leaves less to remove, and is let through again. */
  private async assertMayRemove(sync: SyncRow, signal: AbortSignal): Promise<void> {
    const { tenant_id: tenantId, connection_id: connectionId, started_at: since, force } = sync;
    if (force || since === null) return;
    const { syncs, counts } = this.parts;
    const before = (await syncs.find(tenantId, sync.id))?.nodes_before ?? 0;
    const { unseen } = await counts.count({ tenantId, connectionId, since }, signal);
    if (removesTooMany(unseen, before)) throw tooManyDeletions(unseen, before);
  }

  private async removeUnseen(sync: SyncRow, signal: AbortSignal): Promise<void> {
    const { pages } = this.parts;
    let after: Looked | null = NOTHING_LOOKED_AT;
    while (after !== null) {
      signal.throwIfAborted();
      const looked: Looked | 'lost' | null = await pages.removeUnseen(
        leaseOf(sync),
        sync.connection_id,
        after,
        LOOK_AT,
      );
      if (looked === 'lost') throw new LeaseLostError();
      after = looked;
    }
  }
}
