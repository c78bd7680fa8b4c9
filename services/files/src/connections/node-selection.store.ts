// Nodes that are selected for automatic processing, in batches that are each leased to one process at a time.
import { Database, nextDueInMs, nextDueStatement, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { NodeSelectionEntity } from './node-selection.entity.js';
import { claimInRotation } from './tenant-rotation.domain.js';

export type NodeSelection = Omit<NodeSelectionEntity, 'due_at'>;

const COLUMNS = ['tenant_id', 'id', 'connection_id', 'node_ids', 'fence', 'failures'];
const add = statement(
  'node_selections.add',
  'insert into node_selections (tenant_id, id, connection_id, node_ids) values ($1, $2, $3, $4)',
);
/** Claims the selection that has been due for the longest time, of the next tenant after $2. */
const claim = statement(
  'node_selections.claim',
  `update node_selections s set fence = s.fence + 1, due_at = now() + make_interval(secs => $1)
   from (select tenant_id, id from node_selections where due_at <= now() and tenant_id > $2
         order by tenant_id, due_at limit 1 for update skip locked) due
   where s.tenant_id = due.tenant_id and s.id = due.id
   returning ${COLUMNS.map((column) => `s.${column}`).join(', ')}`,
);
const nextDue = nextDueStatement('node_selections.next_due', 'select min(due_at) from node_selections');
/** Fences the writes below: a process that has lost the lease changes nothing. */
const HELD = 'tenant_id = $1 and id = $2 and fence = $3';
const keep = statement(
  'node_selections.keep',
  `update node_selections set node_ids = $4, failures = 0, due_at = now() where ${HELD} returning 1`,
);
const end = statement('node_selections.end', `delete from node_selections where ${HELD} returning 1`);
const postpone = statement(
  'node_selections.postpone',
  `update node_selections set due_at = now() + make_interval(secs => $4), failures = failures + 1 where ${HELD}`,
);
/** Set-based: all selections of a tenant, since each would be refused. */
const postponeTenant = statement(
  'node_selections.postpone_tenant',
  'update node_selections set due_at = greatest(due_at, now() + make_interval(secs => $2)) where tenant_id = $1',
);

const held = ({ tenant_id, id, fence }: NodeSelection) => [tenant_id, id, fence];

@Injectable()
export class NodeSelectionStore {
  constructor(private readonly database: Database) {}

  async add(transaction: Queryable, tenantId: string, connectionId: string, nodeIds: readonly string[]): Promise<void> {
    await transaction.query(add, [tenantId, uuidv7(), connectionId, nodeIds]);
  }

  /** Claims a selection of one of the tenants after `lastTenantId`, or else of the first ones. Null when none is due. */
  claim(leaseSeconds: number, lastTenantId: string | null): Promise<NodeSelection | null> {
    return claimInRotation(lastTenantId, (after) => this.database.query<NodeSelection>(claim, [leaseSeconds, after]));
  }

  /** Milliseconds until a selection can be claimed. Null when there is none. */
  nextDueInMs(): Promise<number | null> {
    return nextDueInMs(this.database, nextDue);
  }

  /** Ends the selection, or keeps the nodes in `rest`, in the transaction that queues the others. False when the lease is lost. */
  async finish(on: Queryable, selection: NodeSelection, rest: readonly string[]): Promise<boolean> {
    const query = rest.length === 0 ? on.query(end, held(selection)) : on.query(keep, [...held(selection), rest]);
    return (await query).length > 0;
  }

  /** Deletes the selection. Its nodes get no job. */
  async abandon(selection: NodeSelection): Promise<void> {
    await this.finish(this.database, selection, []);
  }

  /** Returns the selection to the queue with a delay. */
  async postpone(selection: NodeSelection, delaySeconds: number): Promise<void> {
    await this.database.query(postpone, [...held(selection), delaySeconds]);
  }

  /** Delays all selections of the tenant. */
  async postponeTenant(tenantId: string, delaySeconds: number): Promise<void> {
    await this.database.query(postponeTenant, [tenantId, delaySeconds]);
  }
}
