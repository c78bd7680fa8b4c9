// Runs one claim of a sync: lists a part of the bucket and, once the whole bucket is listed, removes the nodes whose objects are gone, and
// selects nodes for automatic processing.
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { BucketListing } from './bucket-listing.service.js';
import { FAILURES_MAX } from './domain/sync-fault.js';
import { EndSync } from './end-sync.usecase.js';
import { LeaseLostError } from './lease-lost.errors.js';
import { NodeSelectionStore, SELECTION_START } from './node-selection.store.js';
import { RemovedNodeStore } from './removed-node.store.js';
import type { SyncRow } from './sync.rows.js';
import { leaseOf, SyncStore } from './sync.store.js';
import { UnlistedNodes } from './unlisted-nodes.service.js';

/** `yielded`: the claim used its share of pages or time, and the sync is back in the queue. */
export type SyncOutcome = 'completed' | 'failed' | 'yielded' | 'postponed' | 'released' | 'lost';

const NODES_PER_STATEMENT = 10_000;
const DAY_MS = 86_400_000;

@Injectable()
export class RunSync {
  constructor(
    private readonly syncs: SyncStore,
    private readonly unlisted: UnlistedNodes,
    private readonly removedNodes: RemovedNodeStore,
    private readonly selections: NodeSelectionStore,
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
      if (!sync.listed) {
        const listing = await this.listing.advance(sync, signal);
        sync = listing.sync;
        if (!listing.isListed) {
          await syncs.release(leaseOf(sync));
          return 'yielded';
        }
      }
      await this.unlisted.remove(sync, signal);
      await this.concludeRemoval(sync, signal);
      await this.selectNodes(sync, signal);
      return await end.complete(sync);
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      if (!signal.aborted) return end.afterFailure(sync, error);
      await syncs.release(leaseOf(sync));
      return 'released';
    }
  }

  /** Objects that were moved keep their nodes. The removal of the others is announced. */
  private async concludeRemoval(sync: SyncRow, signal: AbortSignal): Promise<void> {
    const { removedNodes } = this;
    const [lease, connectionId] = [leaseOf(sync), sync.connection_id];
    if (await removedNodes.hasNew(lease, connectionId)) {
      const since = await this.syncs.incompleteSince(sync);
      await forAll(signal, { id: idBefore(since) }, ({ id }) =>
        removedNodes.findMoves(lease, connectionId, { after: id, since }, NODES_PER_STATEMENT),
      );
    }
    let hasMore = true;
    while (hasMore) {
      signal.throwIfAborted();
      const answer: boolean | 'lost' = await removedNodes.announce(lease, connectionId, NODES_PER_STATEMENT);
      if (answer === 'lost') throw new LeaseLostError();
      hasMore = answer;
    }
  }

  private selectNodes(sync: SyncRow, signal: AbortSignal): Promise<void> {
    const [lease, connectionId] = [leaseOf(sync), sync.connection_id];
    return forAll(signal, SELECTION_START, (after) =>
      this.selections.select(lease, connectionId, after, NODES_PER_STATEMENT),
    );
  }
}

/** Calls `work` with the first position, and then with the one that it returned, until it returns null. */
async function forAll<Position>(
  signal: AbortSignal,
  first: Position,
  work: (after: Position) => Promise<Position | null | 'lost'>,
): Promise<void> {
  let after: Position | null = first;
  while (after !== null) {
    signal.throwIfAborted();
    const position: Position | null | 'lost' = await work(after);
    if (position === 'lost') throw new LeaseLostError();
    after = position;
  }
}

/** Smaller than the ids of the nodes that listings have added since: they are UUIDs of version 7, of a clock that may be a day behind. */
const idBefore = (since: Date): string =>
  uuidv7({ msecs: Math.max(0, since.getTime() - DAY_MS), seq: 0, random: new Uint8Array(16) });
