// The polls of queues. A worker claims one for the time of a lease. Its writes name the lease, and change nothing once another worker has it.
import { Database, nextDueInMs, nextDueStatement, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { fullTenants, type HeldSlots } from '../claims/held-slots.domain.js';
import { startScheduledSync } from '../syncs/sync-start.statement.js';
import { claimPolls } from './queue-poll-claim.statement.js';

const HELD = 'tenant_id = $1 and connection_id = $2 and lease = $3';
/** Leaves out the tenants in $1. */
const nextDue = nextDueStatement(
  'queue_polls.next_due',
  'select min(due_at) from queue_polls where due_at is not null and tenant_id <> all ($1::uuid[])',
);
/** Counts anew after each completed sync. */
const renew = statement(
  'queue_polls.renew',
  `update queue_polls p
   set due_at = now() + make_interval(secs => $4), counted_since = last.id,
     nodes_removed = case when counted_since is distinct from last.id then 0 else nodes_removed end,
     nodes_added = case when counted_since is distinct from last.id then 0 else nodes_added end,
     sync_requested = sync_requested and counted_since is not distinct from last.id
   from (select 1) one left join lateral (
     select id, synced_count, completed_at from syncs where tenant_id = $1 and connection_id = $2 and status = 'completed' order by id desc limit 1
   ) last on true
   where ${HELD}
   returning p.nodes_removed, p.nodes_added, p.sync_requested, coalesce(last.synced_count, 0) as nodes_synced,
     last.completed_at as synced_at,
     clock_timestamp() as renewed_at, exists (
       select 1 from syncs where tenant_id = $1 and connection_id = $2 and status in ('pending', 'syncing')) as is_syncing`,
);
const release = statement(
  'queue_polls.release',
  `update queue_polls set due_at = now() + make_interval(secs => $4), lease = null, failures = $5, empty_polls = $6 where ${HELD}`,
);
const mayStartSync = statement(
  'queue_polls.may_start_sync',
  `select 1 from queue_polls where ${HELD} and not sync_requested`,
);
const markSyncStarted = statement(
  'queue_polls.mark_sync_started',
  `update queue_polls set sync_requested = true where ${HELD}`,
);

/** Longer than a poll takes, with its deadlines. */
export const POLL_LEASE_SECONDS = 180;

export interface ClaimedPoll {
  tenant_id: string;
  connection_id: string;
  lease: string;
  failures: number;
  empty_polls: number;
}

/** What has happened since the last completed sync. */
export interface PollState {
  nodes_removed: number;
  nodes_added: number;
  sync_requested: boolean;
  /** The files that the sync has found, and when it ended. */
  nodes_synced: number;
  /** Null before the first. */
  synced_at: Date | null;
  /** By the clock of the database. */
  renewed_at: Date;
  /** Whether a sync of the connection is pending or running. */
  is_syncing: boolean;
}

export interface NextPoll {
  inSeconds: number;
  failures?: number;
  emptyPolls?: number;
}

const valuesOf = ({ tenant_id, connection_id, lease }: ClaimedPoll) => [tenant_id, connection_id, lease];

@Injectable()
export class QueuePollStore {
  constructor(private readonly database: Database) {}

  claim(count: number, { held, heldMax }: HeldSlots): Promise<ClaimedPoll[]> {
    const values = [count, POLL_LEASE_SECONDS, [...held.keys()], [...held.values()], heldMax];
    return this.database.query<ClaimedPoll & Record<string, unknown>>(claimPolls, values);
  }

  /** Milliseconds until a poll is due that this worker may claim. Null when no queue is polled. */
  nextDueInMs(slots: HeldSlots): Promise<number | null> {
    return nextDueInMs(this.database, nextDue, [fullTenants(slots)]);
  }

  /** Null once the lease is lost. */
  async renew(poll: ClaimedPoll): Promise<PollState | null> {
    const values = [...valuesOf(poll), POLL_LEASE_SECONDS];
    const [state] = await this.database.query<PollState & Record<string, unknown>>(renew, values);
    return state ?? null;
  }

  async release(poll: ClaimedPoll, { inSeconds, failures = 0, emptyPolls = 0 }: NextPoll): Promise<void> {
    await this.database.query(release, [...valuesOf(poll), inSeconds, failures, emptyPolls]);
  }

  /**
   * Starts a sync, which decides what notifications may not. False when one was started since the last completed one, or the lease is lost. Locks
   * the connection first, in the same order as its deletion.
   */
  startSync(poll: ClaimedPoll): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      if ((await transaction.query(mayStartSync, valuesOf(poll))).length === 0) return false;
      await transaction.query(startScheduledSync, [poll.tenant_id, uuidv7(), poll.connection_id, false]);
      await transaction.query(markSyncStarted, valuesOf(poll));
      return true;
    });
  }
}
