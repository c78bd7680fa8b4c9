// Runs one claim of a sync: lists a part of the bucket and, once the whole bucket is listed, removes the nodes whose objects are gone, and
// selects nodes for automatic processing.
import { Injectable } from '@nestjs/common';
import { LeaseLostError, BucketListing } from './bucket-listing.service.js';
import { FAILURES_MAX } from './domain/sync-fault.js';
import { removesTooMany, tooManyDeletions } from './domain/sync-limits.js';
import { EndSync } from './end-sync.usecase.js';
import { NodeCountStore } from './node-count.store.js';
import { NodeSelectionStore, SELECTION_START } from './node-selection.store.js';
import type { SyncRow } from './sync.rows.js';
import { REMOVAL_START, SyncPageStore, type RemovalPosition } from './sync-page.store.js';
import { leaseOf, SyncStore } from './sync.store.js';

/** `yielded`: the claim used its share of pages or time, and the sync is back in the queue. */
export type SyncOutcome = 'completed' | 'failed' | 'yielded' | 'postponed' | 'released' | 'lost';

const NODES_PER_STATEMENT = 10_000;

@Injectable()
export class RunSync {
  constructor(
    private readonly syncs: SyncStore,
    private readonly pages: SyncPageStore,
    private readonly selections: NodeSelectionStore,
    private readonly counts: NodeCountStore,
    private readonly listing: BucketListing,
    private readonly end: EndSync,
  ) {}

  async execute(sync: SyncRow, signal: AbortSignal): Promise<SyncOutcome> {
    try {
      return await this.run(sync, signal);
    } catch (error) {
      if (error instanceof LeaseLostError) return 'lost';
      throw error;
    }
  }

  private async run(claimed: SyncRow, signal: AbortSignal): Promise<SyncOutcome> {
    const { syncs, end } = this;
    let sync = claimed;
    try {
      sync = (await syncs.restartIfChanged(leaseOf(claimed))) ?? claimed;
      if (sync.failures >= FAILURES_MAX) throw new Error(`${sync.failures} claims failed`);
      if (!sync.listed && !(await this.listing.advance(sync, signal))) {
        await syncs.release(leaseOf(sync));
        return 'yielded';
      }
      await this.assertMayRemove(sync, signal);
      await this.removeUnseen(sync, signal);
      await this.selectNodes(sync, signal);
      return await end.complete(sync);
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      if (!signal.aborted) return end.afterFailure(sync, error);
      await syncs.release(leaseOf(sync));
      return 'released';
    }
  }

  /** Throws BucketError when the sync would remove too many nodes. A removal that was interrupted passes again: less is left to remove. */
  private async assertMayRemove(sync: SyncRow, signal: AbortSignal): Promise<void> {
    const { tenant_id: tenantId, connection_id: connectionId, started_at: since, force } = sync;
    if (force || since === null) return;
    const { syncs, counts } = this;
    const before = (await syncs.find(tenantId, sync.id))?.nodes_before ?? 0;
    const { unseen } = await counts.count({ tenantId, connectionId, since }, signal);
    if (removesTooMany(unseen, before)) throw tooManyDeletions(unseen, before);
  }

  private async removeUnseen(sync: SyncRow, signal: AbortSignal): Promise<void> {
    const { pages } = this;
    let after: RemovalPosition | null = REMOVAL_START;
    while (after !== null) {
      signal.throwIfAborted();
      const position: RemovalPosition | 'lost' | null = await pages.removeUnseen(
        leaseOf(sync),
        sync.connection_id,
        after,
        NODES_PER_STATEMENT,
      );
      if (position === 'lost') throw new LeaseLostError();
      after = position;
    }
  }

  private async selectNodes(sync: SyncRow, signal: AbortSignal): Promise<void> {
    let after: string | null = SELECTION_START;
    while (after !== null) {
      signal.throwIfAborted();
      const position: Awaited<ReturnType<NodeSelectionStore['select']>> = await this.selections.select(
        leaseOf(sync),
        sync.connection_id,
        after,
        NODES_PER_STATEMENT,
      );
      if (position === 'lost') throw new LeaseLostError();
      after = position?.last ?? null;
    }
  }
}
