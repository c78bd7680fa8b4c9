// What hangs on connections, removed once they are deleted.
import { statement, type Statement, type Transaction } from '@kiln/platform';
import type { ConnectionRemains } from './connection-purge.store.js';

const BATCH_SIZE = 5_000;

const removeSomeOf = (table: string): Statement =>
  statement(
    `connection_remains.${table}`,
    `with doomed as materialized (
       select id from ${table} where tenant_id = $1 and connection_id = $2 limit ${BATCH_SIZE}
     ), gone as (
       delete from ${table} t using doomed d where t.tenant_id = $1 and t.id = d.id returning 1
     )
     select count(*)::int as removed from gone`,
  );

class RowsOf implements ConnectionRemains {
  constructor(private readonly removeSomeRows: Statement) {}

  async removeSome(transaction: Transaction, tenantId: string, connectionId: string): Promise<boolean> {
    const [row] = await transaction.query<{ removed: number }>(this.removeSomeRows, [tenantId, connectionId]);
    return row?.removed === BATCH_SIZE;
  }
}

/** In the order in which they are removed. */
export const connectionRemains: readonly ConnectionRemains[] = ['node_rows', 'node_uploads', 'syncs']
  .map(removeSomeOf)
  .map((removal) => new RowsOf(removal));
