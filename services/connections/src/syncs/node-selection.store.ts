// Selects nodes for automatic processing after a complete listing: those that the rules of the connection select, and whose version was not
// selected before. A batch, its events and the count of the sync are one transaction, which does nothing once the lease is lost.
import { appendEvents, Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { versionOf } from '../nodes/object-version.statement.js';
import { selectedNodesEvents } from './node-events.domain.js';
import { LEASE_SECONDS, leaseValues, type SyncLease } from './sync.store.js';

/**
 * Set-based and fenced. Checks the `$7` files after `$5` and `$6` whose version was not selected; none if automatic processing is off. The
 * conditions and the order match the index `nodes_selectable`, so the statement reads no other files.
 */
const selectNodes = statement(
  'node_selections.select',
  `with held as materialized (
     select c.auto_process, c.on_change from syncs s join connections c on c.tenant_id = $1 and c.id = $4
     where s.tenant_id = $1 and s.id = $2 and s.fence = $3 and s.status = 'syncing' for update of s
   ), checked as materialized (
     select n.* from held cross join lateral (
       select id, created_at from nodes
       where held.auto_process and tenant_id = $1 and connection_id = $4 and (created_at, id) > ($5::timestamptz, $6::uuid)
         and is_file and excluded_by is null and archived_in is null and selected_version is distinct from ${versionOf('nodes')}
       order by created_at, id limit $7
     ) n
   ), selected as (
     update nodes n set selected_version = ${versionOf('n')} from held
     where n.tenant_id = $1 and n.id = any (array(select id from checked))
       and (n.selected_version is null or held.on_change = 'reprocess')
     returning n.id
   ), counted as (
     update syncs set files_queued = files_queued + (select count(*) from selected), due_at = now() + make_interval(secs => $8)
     from held where tenant_id = $1 and id = $2
   )
   select (select count(*)::int from checked) as checked, last.created_at as last_created_at, last.id as last_id,
     array(select id from selected order by id) as selected
   from held left join lateral (select created_at, id from checked order by created_at desc, id desc limit 1) last on true`,
);

/** Files are selected in the order in which their nodes were made. */
export interface SelectionPosition {
  createdAt: Date;
  id: string;
}

export const SELECTION_START: SelectionPosition = {
  createdAt: new Date(0),
  id: '00000000-0000-0000-0000-000000000000',
};

@Injectable()
export class NodeSelectionStore {
  constructor(private readonly database: Database) {}

  /** Checks `limit` files after a node. Returns the last one; null at the end; `lost` when the lease is lost. */
  async select(
    lease: SyncLease,
    connectionId: string,
    after: SelectionPosition,
    limit: number,
  ): Promise<SelectionPosition | null | 'lost'> {
    interface Answer {
      checked: number;
      last_created_at: Date | null;
      last_id: string | null;
      selected: string[];
    }
    const values = [...leaseValues(lease), connectionId, after.createdAt, after.id, limit, LEASE_SECONDS];
    return this.database.transaction(async (transaction) => {
      const [row] = await transaction.query<Answer & Record<string, unknown>>(selectNodes, values);
      if (!row) return 'lost';
      await appendEvents(transaction, selectedNodesEvents({ tenantId: lease.tenantId, connectionId }, row.selected));
      if (row.checked < limit || row.last_created_at === null || row.last_id === null) return null;
      return { createdAt: row.last_created_at, id: row.last_id };
    });
  }
}
