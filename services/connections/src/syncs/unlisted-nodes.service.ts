// The nodes that a listing does not contain, in batches: they are marked, counted, and removed after the complete listing.
import { Injectable } from '@nestjs/common';
import { removesTooMany, tooManyDeletions } from './domain/sync-limits.js';
import { LeaseLostError } from './lease-lost.errors.js';
import { NodeCountStore } from './node-count.store.js';
import { listsByRange, type SyncRow } from './sync.rows.js';
import { leaseOf } from './sync.store.js';
import { REMOVAL_START, UnlistedNodeStore, type PathRange, type RemovalPosition } from './unlisted-node.store.js';

const NODES_PER_STATEMENT = 10_000;
const ALL: PathRange = { after: '', upTo: null };

@Injectable()
export class UnlistedNodes {
  constructor(
    private readonly nodes: UnlistedNodeStore,
    private readonly counts: NodeCountStore,
  ) {}

  /**
   * Marks the nodes of the range that a page does not contain, before the page is committed. If it is not committed, it is requested again,
   * and its commit removes the marks of the nodes that it contains by then.
   */
  async markRange(sync: SyncRow, range: PathRange, listed: readonly string[], signal: AbortSignal): Promise<void> {
    const about = { lease: leaseOf(sync), connectionId: sync.connection_id, byRange: listsByRange(sync) };
    let marked = await this.nodes.mark(about, range, listed, NODES_PER_STATEMENT);
    while (marked !== null && marked !== 'lost') {
      signal.throwIfAborted();
      const rest: PathRange = { after: marked.last, upTo: range.upTo };
      marked = await this.nodes.mark(about, rest, listed, NODES_PER_STATEMENT);
    }
    if (marked === 'lost') throw new LeaseLostError();
  }

  /** Removes the nodes that the complete listing did not contain. Throws BucketError, and removes nothing, when they are too many. */
  async remove(sync: SyncRow, signal: AbortSignal): Promise<void> {
    // The pages of a listing by ranges have marked them.
    if (!listsByRange(sync)) await this.markRange(sync, ALL, [], signal);
    await this.assertMayRemove(sync, signal);
    let after: RemovalPosition | null = REMOVAL_START;
    while (after !== null) {
      signal.throwIfAborted();
      const removed: RemovalPosition | 'lost' | null = await this.nodes.remove(
        leaseOf(sync),
        sync.connection_id,
        after,
        NODES_PER_STATEMENT,
      );
      if (removed === 'lost') throw new LeaseLostError();
      after = removed;
    }
  }

  /** A removal that was interrupted passes again: less is left to remove. */
  private async assertMayRemove(sync: SyncRow, signal: AbortSignal): Promise<void> {
    const { tenant_id: tenantId, connection_id: connectionId, started_at: since, force, nodes_before: before } = sync;
    if (force || since === null) return;
    const unlisted = await this.counts.countUnlisted({ tenantId, connectionId }, since, signal);
    if (removesTooMany(unlisted, before ?? 0)) throw tooManyDeletions(unlisted, before ?? 0);
  }
}
