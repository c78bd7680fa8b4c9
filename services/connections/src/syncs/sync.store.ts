// Syncs: one at a time for each connection, leased to one worker. A claim raises the fence, and a write with an old fence changes nothing.
import { Database, isUniqueViolation, nextDueInMs, nextDueStatement, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { fullTenants, type HeldSlots } from '../claims/held-slots.domain.js';
import { claimSyncs } from './sync-claim.statement.js';
import { startSync } from './sync-start.statement.js';
import { SYNC_COLUMNS, type SyncRow } from './sync.rows.js';
import { SyncEntity } from './sync.entity.js';

/** Leaves out the tenants in $1. */
const nextDue = nextDueStatement(
  'syncs.next_due',
  `select min(due_at) from syncs where status in ('pending', 'syncing') and tenant_id <> all ($1::uuid[])`,
);
/** Fences the statements below: they change nothing once the lease is lost. */
const HELD = `tenant_id = $1 and id = $2 and fence = $3 and status = 'syncing'`;
const renew = statement(
  'syncs.renew',
  `update syncs set due_at = now() + make_interval(secs => $4) where ${HELD} returning 1`,
);
const release = statement('syncs.release', `update syncs set due_at = now(), leased = false where ${HELD}`);
const postpone = statement(
  'syncs.postpone',
  `update syncs set failures = failures + $5::int, bucket_failures = bucket_failures + $6::int,
     due_at = now() + make_interval(secs => $4), leased = false
   where ${HELD}`,
);
/** The counts of added, updated and deleted files stay: they say what the sync has changed. */
const restart = statement(
  'syncs.restart',
  `update syncs s
   set connection_version = c.version, position = null, next_cursor = null, ranges = null, inventory = null, listed = false, started_at = now(), nodes_before = null,
     nodes_added = 0, nodes_listed = 0, synced_count = 0, skipped = 0, files_excluded = 0, empty_pages = 0
   from connections c
   where s.tenant_id = $1 and s.id = $2 and s.fence = $3 and s.status = 'syncing'
     and c.tenant_id = $1 and c.id = s.connection_id and c.version <> abs(s.connection_version)
   returning ${SYNC_COLUMNS.split(',')
     .map((column) => `s.${column.trim()}`)
     .join(', ')}`,
);
const complete = statement(
  'syncs.complete',
  `update syncs set status = 'completed', completed_at = now(), ranges = null where ${HELD} returning ${SYNC_COLUMNS}`,
);
const fail = statement(
  'syncs.fail',
  `update syncs set status = 'failed', completed_at = now(), error_code = $4, error_message = $5,
     is_resumable = $6::boolean and (next_cursor is not null or ranges is not null), ranges = case when $6::boolean then ranges end
   where ${HELD} returning ${SYNC_COLUMNS}`,
);

/** Each limit with its order forces the index `syncs_of_connection`. $3 is the time of the current sync, in case its id is not the newest. */
const incompleteSince = statement(
  'syncs.incomplete_since',
  `select least(first.created_at, $3::timestamptz) as since
   from (values (1)) one
     left join lateral (
       select id from syncs where tenant_id = $1 and connection_id = $2 and status = 'completed' order by id desc limit 1
     ) completed on true
     left join lateral (
       select created_at from syncs
       where tenant_id = $1 and connection_id = $2 and id > coalesce(completed.id, '00000000-0000-0000-0000-000000000000')
       order by id limit 1
     ) first on true`,
);

/** Raises the fence, so that the worker that runs the sync writes nothing more. */
const cancel = statement(
  'syncs.cancel',
  `update syncs set status = 'cancelled', fence = fence + 1, completed_at = now(), ranges = null
   where tenant_id = $1 and connection_id = $2 and status in ('pending', 'syncing') returning ${SYNC_COLUMNS}`,
);

/** The duration of a lease. Each page and a heartbeat renew it. When it expires, another worker may reclaim the sync. */
export const LEASE_SECONDS = 30;

/** Identifies one claim. */
export interface SyncLease {
  tenantId: string;
  id: string;
  fence: number;
}

export const leaseOf = ({ tenant_id: tenantId, id, fence }: SyncRow): SyncLease => ({ tenantId, id, fence });

export const leaseValues = ({ tenantId, id, fence }: SyncLease) => [tenantId, id, fence];

@Injectable()
export class SyncStore {
  constructor(
    private readonly database: Database,
    @InjectRepository(SyncEntity) private readonly syncs: Repository<SyncEntity>,
  ) {}

  /**
   * Returns `busy` while another sync of the connection runs, and null when the connection does not exist. A repeated call returns the same
   * sync.
   */
  async start(tenantId: string, id: string, connectionId: string, force = false): Promise<SyncRow | 'busy' | null> {
    try {
      const [row] = await this.database.query<SyncRow>(startSync, [tenantId, id, connectionId, force]);
      if (row) return row;
    } catch (error) {
      if (!isUniqueViolation(error, 'syncs_one_at_a_time')) throw error;
      const earlier = await this.find(tenantId, id);
      return earlier?.connection_id === connectionId ? earlier : 'busy';
    }
    const earlier = await this.find(tenantId, id);
    return earlier?.connection_id === connectionId ? earlier : null;
  }

  find(tenantId: string, id: string): Promise<SyncRow | null> {
    return this.syncs.findOneBy({ tenant_id: tenantId, id });
  }

  newest(tenantId: string, connectionId: string): Promise<SyncRow | null> {
    return this.syncs.findOne({ where: { tenant_id: tenantId, connection_id: connectionId }, order: { id: 'DESC' } });
  }

  /** Lists syncs, the newest first. `before` is the last sync of the previous page. */
  list(tenantId: string, connectionId: string, before: string | undefined, limit: number): Promise<SyncRow[]> {
    return this.syncs.find({
      where: {
        tenant_id: tenantId,
        connection_id: connectionId,
        ...(before !== undefined && { id: LessThan(before) }),
      },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /**
   * When the first sync after the last completed one was created. Nodes that were added since then were not compared with those that are gone: a
   * sync that failed, was cancelled or began again has added them.
   */
  async incompleteSince({ tenant_id, connection_id, created_at }: SyncRow): Promise<Date> {
    const [row] = await this.database.query<{ since: Date }>(incompleteSince, [tenant_id, connection_id, created_at]);
    return row?.since ?? created_at;
  }

  claim(count: number, leaseSeconds: number, { held, heldMax }: HeldSlots): Promise<SyncRow[]> {
    const values = [count, leaseSeconds, [...held.keys()], [...held.values()], heldMax];
    return this.database.query<SyncRow>(claimSyncs, values);
  }

  /** Milliseconds until a sync is due that this worker may claim. Null when no sync is queued. */
  nextDueInMs(slots: HeldSlots): Promise<number | null> {
    return nextDueInMs(this.database, nextDue, [fullTenants(slots)]);
  }

  /** Null when no sync of the connection is pending or running. */
  async cancel(tenantId: string, connectionId: string): Promise<SyncRow | null> {
    const [row] = await this.database.query<SyncRow>(cancel, [tenantId, connectionId]);
    return row ?? null;
  }

  /** False once the lease is lost. */
  async renew(lease: SyncLease, leaseSeconds: number): Promise<boolean> {
    return (await this.database.query(renew, [...leaseValues(lease), leaseSeconds])).length > 0;
  }

  async release(lease: SyncLease): Promise<void> {
    await this.database.query(release, leaseValues(lease));
  }

  /** Counts a failure, and returns the sync to the queue with a delay. */
  async postpone(lease: SyncLease, delaySeconds: number, isOfBucket: boolean): Promise<void> {
    const counted = isOfBucket ? [0, 1] : [1, 0];
    await this.database.query(postpone, [...leaseValues(lease), delaySeconds, ...counted]);
  }

  /**
   * Begins the listing again when the connection has changed since it began: a page token of one store means nothing at another. Null when
   * the connection has not changed, or the lease is lost.
   */
  async restartIfChanged(lease: SyncLease): Promise<SyncRow | null> {
    const [row] = await this.database.query<SyncRow>(restart, leaseValues(lease));
    return row ?? null;
  }

  /** Null when the lease is lost. */
  async complete(transaction: Queryable, lease: SyncLease): Promise<SyncRow | null> {
    const [row] = await transaction.query<SyncRow>(complete, leaseValues(lease));
    return row ?? null;
  }

  /** `isResumable`: the next sync continues after the last page. Null when the lease is lost. */
  async fail(
    transaction: Queryable,
    lease: SyncLease,
    { code, message, isResumable }: { code: string; message: string; isResumable: boolean },
  ): Promise<SyncRow | null> {
    const [row] = await transaction.query<SyncRow>(fail, [...leaseValues(lease), code, message, isResumable]);
    return row ?? null;
  }
}
