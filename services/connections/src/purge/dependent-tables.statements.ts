// The tables whose rows belong to connections.
import { statement, type Transaction } from '@kiln/platform';
import type { DependentTable } from './connection-purge.store.js';

const BATCH_SIZE = 5_000;

function dependentTable(table: string): DependentTable {
  const removal = statement(
    `connection_purge.${table}`,
    `with batch as materialized (
       select id from ${table} where tenant_id = $1 and connection_id = $2 limit ${BATCH_SIZE}
     ), removed as (
       delete from ${table} t using batch b where t.tenant_id = $1 and t.id = b.id returning 1
     )
     select count(*)::int as count from removed`,
  );
  return {
    async removeBatch(transaction: Transaction, tenantId: string, connectionId: string): Promise<boolean> {
      const [removed] = await transaction.query<{ count: number }>(removal, [tenantId, connectionId]);
      return removed?.count === BATCH_SIZE;
    },
  };
}

/** In the order of removal. */
export const dependentTables: readonly DependentTable[] = ['node_rows', 'node_uploads', 'syncs'].map(dependentTable);
