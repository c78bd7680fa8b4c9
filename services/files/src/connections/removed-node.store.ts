// Tombstones of nodes whose objects are gone.
import { statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

/** Set-based. It also deletes some tombstones that are no longer needed. */
const add = statement(
  'removed_nodes.add',
  `with expired as (
     delete from removed_nodes where (tenant_id, node_id) in (
       select tenant_id, node_id from removed_nodes where removed_at < now() - interval '1 day' order by removed_at limit 1000
       for update skip locked)
   )
   insert into removed_nodes (tenant_id, node_id) select $1, unnest($2::uuid[]) order by 2 on conflict do nothing`,
);
const find = statement(
  'removed_nodes.find',
  'select node_id from removed_nodes where tenant_id = $1 and node_id = any($2::uuid[])',
);

@Injectable()
export class RemovedNodeStore {
  async add(transaction: Queryable, tenantId: string, nodeIds: readonly string[]): Promise<void> {
    await transaction.query(add, [tenantId, nodeIds]);
  }

  /** Returns which of the nodes were removed. */
  async find(on: Queryable, tenantId: string, nodeIds: readonly string[]): Promise<Set<string>> {
    const rows = await on.query<{ node_id: string }>(find, [tenantId, nodeIds]);
    return new Set(rows.map((row) => row.node_id));
  }
}
