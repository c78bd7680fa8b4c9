// Applies what a bucket says about keys that may have changed. The nodes and their events are one transaction, which does nothing once the lease is
// lost, or while a sync of the connection is pending or running.
import type { RuleName } from '@kiln/contracts';
import { appendEvents, Database, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { ListedNode } from '../nodes/listed-nodes.domain.js';
import { columnsOf } from '../nodes/node-columns.domain.js';
import {
  movedNodesEvents,
  removedNodesEvents,
  selectedNodesEvents,
  type MovedNode,
} from '../syncs/node-events.domain.js';
import * as statements from './node-changes.statements.js';
import type { ClaimedPoll } from './queue-poll.store.js';

export interface NodeChanges {
  /** The files that exist, and their folders. */
  nodes: readonly ListedNode[];
  /** The rules that leave files out of automatic processing, by path. */
  excluded: ReadonlyMap<string, RuleName>;
  /** Keys without an object. */
  gone: readonly string[];
  /** A time of the database before the bucket was asked. */
  askedAt: Date;
}

/** How many nodes may still be removed and added without a sync. */
export interface ChangeLimits {
  removalsMax: number;
  /** Removals of nodes that were created later do not count. */
  countedUntil: Date | 'infinity';
  additionsMax: number;
}

/** `within`: whether the changes were within the limits. Those beyond were not applied. */
export interface AppliedChanges {
  within: boolean;
}

interface Locked {
  auto_process: boolean;
  is_reprocessing: boolean;
  is_deletion: boolean;
  applied_at: Date;
}

interface Gone {
  fits: boolean;
  removed: string[];
  counting: string[];
}

interface Put {
  fits: boolean;
  added: number;
  files: string[];
  moved: MovedNode[];
}

type Row<Columns> = Columns & Record<string, unknown>;

@Injectable()
export class NodeChangeStore {
  constructor(private readonly database: Database) {}

  /** Null when nothing was written, because the lease is lost or a sync was started. */
  apply(poll: ClaimedPoll, changes: NodeChanges, limits: ChangeLimits): Promise<AppliedChanges | null> {
    const { tenant_id: tenantId, connection_id: connectionId, lease } = poll;
    return this.database.transaction(async (transaction) => {
      const place = [tenantId, connectionId];
      const [locked] = await transaction.query<Row<Locked>>(statements.lockPoll, [...place, lease]);
      if (!locked) return null;
      const removal = [...place, changes.gone, changes.askedAt, limits.removalsMax, limits.countedUntil];
      const [gone] = await transaction.query<Row<Gone>>(statements.removeGone, removal);
      const { fits = true, removed = [], counting = [] } = gone ?? {};
      const put = await this.put(transaction, poll, changes, limits.additionsMax);
      const concluded = await transaction.query<{ id: string }>(statements.concludeRemoval, [
        tenantId,
        removed,
        locked.is_deletion,
      ]);
      const selection = [tenantId, locked.auto_process ? put.files : [], locked.is_reprocessing];
      const selected = await transaction.query<{ id: string }>(statements.selectFiles, selection);
      const moved = new Set(put.moved.map(({ id }) => id));
      const counted = counting.filter((id) => !moved.has(id)).length;
      await transaction.query(statements.countChanges, [...place, counted, put.added - (removed.length - counted)]);
      const about = { tenantId, connectionId };
      await appendEvents(transaction, [
        ...movedNodesEvents(about, put.moved, locked.applied_at),
        ...removedNodesEvents(about, idsOf(concluded)),
        ...selectedNodesEvents(about, idsOf(selected)),
      ]);
      return { within: fits && put.fits };
    });
  }

  private async put(
    transaction: Transaction,
    { tenant_id: tenantId, connection_id: connectionId }: ClaimedPoll,
    { nodes, excluded, askedAt }: NodeChanges,
    additionsMax: number,
  ): Promise<Put> {
    const columns = columnsOf(connectionId, nodes, excluded);
    const [put] = await transaction.query<Row<Put>>(statements.putNodes, [
      tenantId,
      connectionId,
      askedAt,
      additionsMax,
      ...columns.stored,
      columns.archivedIn,
      columns.excludedBy,
    ]);
    return put ?? { fits: true, added: 0, files: [], moved: [] };
  }
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
