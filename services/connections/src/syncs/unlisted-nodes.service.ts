// The nodes that a listing does not contain, in batches: they are marked, counted, and removed after the complete listing.
import { Injectable } from '@nestjs/common';
import type { ListedNode } from '../nodes/listed-nodes.domain.js';
import { digestOf } from './domain/node-digest.js';
import { removesTooMany, tooManyDeletions } from './domain/sync-limits.js';
import { LeaseLostError } from './lease-lost.errors.js';
import { NodeCountStore } from './node-count.store.js';
import { NodeDigestStore } from './node-digest.store.js';
import { PresentObjects } from './present-objects.service.js';
import { inventoryOf, listsByRange, type SyncRow } from './sync.rows.js';
import { isInRange } from './domain/listing-range.js';
import { leaseOf, SyncStore } from './sync.store.js';
import {
  REMOVAL_START,
  UnlistedNodeStore,
  type PageNodes,
  type PathRange,
  type RemovalPosition,
} from './unlisted-node.store.js';

const NODES_PER_STATEMENT = 10_000;
const ALL: PathRange = { after: '', upTo: null };
const NOTHING: PageNodes = { nodes: [], excluded: new Map(), unstorable: [] };

@Injectable()
export class UnlistedNodes {
  constructor(
    private readonly syncs: SyncStore,
    private readonly nodes: UnlistedNodeStore,
    private readonly digests: NodeDigestStore,
    private readonly counts: NodeCountStore,
    private readonly present: PresentObjects,
  ) {}

  /**
   * Marks the nodes of the range that a page does not contain, before the page is committed, and returns the nodes of the page that are new or
   * have changed. If the page is not committed, it is requested again, and its commit removes the marks of the nodes that it contains by then.
   */
  async compare(sync: SyncRow, range: PathRange, page: PageNodes, signal: AbortSignal): Promise<readonly ListedNode[]> {
    const about = { lease: leaseOf(sync), connectionId: sync.connection_id, byRange: listsByRange(sync) };
    // Folders of its keys may lie before the range.
    const before = page.nodes.filter(({ path }) => !isInRange(path, range));
    const inRange = before.length === 0 ? page.nodes : page.nodes.filter((node) => !before.includes(node));
    if (await this.isStored(sync, range, { ...page, nodes: inRange })) return before;
    let { nodes } = page;
    for (let rest = range; ;) {
      const compared = await this.nodes.compare(about, rest, { ...page, nodes }, NODES_PER_STATEMENT);
      if (compared === 'lost') throw new LeaseLostError();
      nodes = nodes.filter(({ path }) => compared.different.has(path));
      if (compared.last === null) return nodes;
      rest = { after: compared.last, upTo: range.upTo };
      signal.throwIfAborted();
    }
  }

  /** Whether the stored nodes of the range are those of the page. */
  private async isStored(sync: SyncRow, range: PathRange, { nodes, excluded }: PageNodes): Promise<boolean> {
    if (nodes.length === 0) return false;
    const about = { tenantId: sync.tenant_id, connectionId: sync.connection_id };
    // One more than the page has: a digest of more nodes differs.
    const stored = await this.digests.read(about, range, nodes.length + 1);
    return stored !== null && stored === digestOf(nodes, excluded);
  }

  /** Removes the nodes that the complete listing did not contain. Throws BucketError, and removes nothing, when they are too many. */
  async remove(sync: SyncRow, signal: AbortSignal): Promise<void> {
    // The pages of a listing by ranges have marked them.
    if (!listsByRange(sync)) await this.compare(sync, ALL, NOTHING, signal);
    await this.assertMayRemove(sync, signal);
    if (inventoryOf(sync) !== null) await this.present.removeGone(sync, signal);
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

  /**
   * A removal that was interrupted passes again: less is left to remove. Nodes that incomplete syncs have added do not count alone: a sync that was
   * refused has added the new keys of a renamed folder, and the next one would be allowed to remove the former ones.
   */
  private async assertMayRemove(sync: SyncRow, signal: AbortSignal): Promise<void> {
    const { tenant_id: tenantId, connection_id: connectionId, started_at: since, force, nodes_before: before } = sync;
    if (force || since === null) return;
    const place = { tenantId, connectionId };
    const unlisted = await this.counts.countUnlisted(place, { since }, signal);
    assertNotTooMany(unlisted, before ?? 0);
    const createdBefore = await this.syncs.incompleteSince(sync);
    if (!removesTooMany(unlisted, 0) || createdBefore >= sync.created_at) return;
    const unlistedOfLast = await this.counts.countUnlisted(place, { since, createdBefore }, signal);
    assertNotTooMany(unlistedOfLast, await this.counts.countCreatedBefore(place, createdBefore, signal));
  }
}

function assertNotTooMany(removed: number, before: number): void {
  if (removesTooMany(removed, before)) throw tooManyDeletions(removed, before);
}
