// Syncs: one at a time for each connection, leased to one worker. A claim raises the fence, and a write with an old fence changes nothing.
import { Database, isUniqueViolation, nextDueInMs, nextDueStatement, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { claimSyncs } from './sync-claim.statement.js';
import { SYNC_COLUMNS, type SyncRow } from './sync.rows.js';
import { SyncEntity } from './sync.entity.js';

/** Locks the connection, so that it is not deleted before the commit. */
const start = statement(
  'syncs.start',
  `insert into syncs (tenant_id, id, connection_id, force, expected_count)
   select c.tenant_id, $2, c.id, $4,
     (select s.synced_count from syncs s where s.tenant_id = $1 and s.connection_id = $3 and s.status = 'completed'
      order by s.id desc limit 1)
   from (select tenant_id, id from connections
         where tenant_id = $1 and id = $3 and deleted_at is null for no key update) c
   on conflict (tenant_id, id) do nothing
   returning ${SYNC_COLUMNS}`,
);
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
  `update syncs set failures = failures + 1, due_at = now() + make_interval(secs => $4), leased = false where ${HELD}`,
);
const complete = statement(
  'syncs.complete',
  `update syncs set status = 'completed', completed_at = now() where ${HELD} returning ${SYNC_COLUMNS}`,
);
const fail = statement(
  'syncs.fail',
  `update syncs set status = 'failed', completed_at = now(), error_code = $4, error_message = $5
   where ${HELD} returning ${SYNC_COLUMNS}`,
);

/** Raises the fence, so that the worker that runs the sync writes nothing more. */
const cancel = statement(
  'syncs.cancel',
  `update syncs set status = 'cancelled', fence = fence + 1, completed_at = now()
   where tenant_id = $1 and connection_id = $2 and status in ('pending', 'syncing') returning ${SYNC_COLUMNS}`,
);

/** The syncs that a worker is running. */
export interface HeldSyncs {
  /** The number of syncs by tenant. */
  held: ReadonlyMap<string, number>;
  /** The maximum number of syncs for one tenant. */
  heldMax: number;
}

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
      const [row] = await this.database.query<SyncRow>(start, [tenantId, id, connectionId, force]);
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

  claim(count: number, leaseSeconds: number, { held, heldMax }: HeldSyncs): Promise<SyncRow[]> {
    const values = [count, leaseSeconds, [...held.keys()], [...held.values()], heldMax];
    return this.database.query<SyncRow>(claimSyncs, values);
  }

  /** Milliseconds until a sync is due that this worker may claim. Null when no sync is queued. */
  nextDueInMs({ held, heldMax }: HeldSyncs): Promise<number | null> {
    const full = [...held].filter(([, count]) => count >= heldMax).map(([tenantId]) => tenantId);
    return nextDueInMs(this.database, nextDue, [full]);
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
  async postpone(lease: SyncLease, delaySeconds: number): Promise<void> {
    await this.database.query(postpone, [...leaseValues(lease), delaySeconds]);
  }

  /** Null when the lease is lost. */
  async complete(transaction: Queryable, lease: SyncLease): Promise<SyncRow | null> {
    const [row] = await transaction.query<SyncRow>(complete, leaseValues(lease));
    return row ?? null;
  }

  /** Null when the lease is lost. */
  async fail(
    transaction: Queryable,
    lease: SyncLease,
    error: { code: string; message: string },
  ): Promise<SyncRow | null> {
    const [row] = await transaction.query<SyncRow>(fail, [...leaseValues(lease), error.code, error.message]);
    return row ?? null;
  }
}
