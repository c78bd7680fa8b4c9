// Applies the changes that messages name, in the part of the bucket that the connection covers.
import { Inject, Injectable } from '@nestjs/common';
import type { OpenBucket } from '../connections/bucket-access.service.js';
import { ruleCheck } from '../connections/object-rules.domain.js';
import { isStorableKey, nodesOfPage, rootOf } from '../nodes/listed-nodes.domain.js';
import { removalsMax } from '../syncs/domain/sync-limits.js';
import { lookUpObjects, type LookedUp } from '../external-buckets/look-up-objects.service.js';
import { NodeChangeStore } from './node-change.store.js';
import { QueuePollStore, type ClaimedPoll, type PollState } from './queue-poll.store.js';

/** Injection token of the maximum number of nodes of a connection. */
export const NODES_MAX = Symbol('nodes of a connection');

/** `over`: some changes were left to a sync. `lost`: the lease is lost, or a sync was started. */
export type BatchOutcome = 'applied' | 'over' | 'lost';

const KEYS_PER_STATEMENT = 1_000;
/** The lease is renewed after so many look-ups. */
const KEYS_PER_RENEWAL = 100;

@Injectable()
export class ApplyChanges {
  constructor(
    private readonly polls: QueuePollStore,
    private readonly changes: NodeChangeStore,
    @Inject(NODES_MAX) private readonly nodesMax: number,
  ) {}

  /** Throws BucketError. */
  async execute(
    poll: ClaimedPoll,
    { bucket, connection }: OpenBucket,
    keys: readonly string[],
    signal: AbortSignal,
  ): Promise<BatchOutcome> {
    let outcome: BatchOutcome = 'applied';
    for (let at = 0; at < keys.length; at += KEYS_PER_STATEMENT) {
      const asked = await this.lookUp(poll, { bucket, connection }, keys.slice(at, at + KEYS_PER_STATEMENT), signal);
      if (asked === null) return 'lost';
      const { objects, gone, state, askedAt } = asked;
      const { nodes } = nodesOfPage(objects, rootOf(connection.prefix));
      const changes = { nodes, excluded: ruleCheck(connection.rules)(objects), gone, askedAt };
      const applied = await this.changes.apply(poll, changes, this.limitsOf(state, connection.nodes_limit));
      if (applied === null) return 'lost';
      if (!applied.within) outcome = 'over';
    }
    return outcome;
  }

  /** What the bucket says of the keys, and the time before the first request. Null once the lease is lost, or a sync was started. */
  private async lookUp(
    poll: ClaimedPoll,
    { bucket, connection }: OpenBucket,
    keys: readonly string[],
    signal: AbortSignal,
  ): Promise<(LookedUp & { state: PollState; askedAt: Date }) | null> {
    const found: LookedUp = { objects: [], gone: [] };
    const isSorted = connection.listing_order === 'sorted';
    let first: PollState | null = null;
    for (let at = 0; at < keys.length; at += KEYS_PER_RENEWAL) {
      const state = await this.polls.renew(poll);
      if (state === null || state.is_syncing) return null;
      first ??= state;
      const { objects, gone } = await lookUpObjects(bucket, keys.slice(at, at + KEYS_PER_RENEWAL), {
        isSorted,
        signal,
      });
      found.objects.push(...objects);
      found.gone.push(...gone);
    }
    return first && { ...found, state: first, askedAt: first.renewed_at };
  }

  /** Notifications may remove as many nodes as a sync, and a connection may have as many as by syncs. */
  private limitsOf(
    { nodes_synced: synced, nodes_removed: removed, nodes_added: added, synced_at }: PollState,
    planned: number | null,
  ) {
    return {
      removalsMax: removalsMax(synced) - removed,
      countedUntil: synced_at ?? ('infinity' as const),
      additionsMax: Math.min(this.nodesMax, planned ?? Infinity) - synced - added,
    };
  }
}

/** The keys that the connection covers and that can be a path, each once. */
export const coveredKeys = (keys: readonly string[], prefix: string): string[] => [
  ...new Set(keys.filter((key) => key !== '' && key.startsWith(prefix) && isStorableKey(key))),
];
