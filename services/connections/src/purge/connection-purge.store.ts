// Removes deleted connections. Several workers may run it, and a crash loses nothing: a batch is one transaction, and the row of the
// connection is removed last.
import { statement, type Database, type Transaction } from '@kiln/platform';
import { ConnectionEntity } from '../connections/connection.entity.js';
import { IsNull, Not } from 'typeorm';

/** A table whose rows belong to connections. */
export interface DependentTable {
  /** Removes one batch of rows. True when more rows may remain. */
  removeBatch(transaction: Transaction, tenantId: string, connectionId: string): Promise<boolean>;
}

interface DeletedConnection {
  tenant_id: string;
  id: string;
}

/** A claim: skips connections that another worker has locked. */
const nextDeleted = statement(
  'connections.next_deleted',
  `select tenant_id, id from connections where deleted_at is not null
   order by deleted_at limit 1 for update skip locked`,
);

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

/** The tables in the order of removal. */
export const dependentTables: readonly DependentTable[] = ['nodes', 'removed_nodes', 'node_uploads', 'syncs'].map(
  dependentTable,
);

export class ConnectionPurgeStore {
  constructor(
    private readonly database: Database,
    private readonly tables = dependentTables,
  ) {}

  /** Removes one batch. False when no deleted connection remains, or other workers have locked those that do. */
  async purgeBatch(): Promise<boolean> {
    let taken: DeletedConnection | undefined;
    try {
      return await this.database.transaction(async (transaction) => {
        [taken] = await transaction.query<DeletedConnection>(nextDeleted);
        if (taken) await this.removeBatchOf(transaction, taken);
        return taken !== undefined;
      });
    } catch (error) {
      // Moves the connection to the end of the queue, so that one that cannot be removed does not delay the others.
      if (taken)
        await this.database.dataSource.manager.update(ConnectionEntity, keyOf(taken), { deleted_at: () => 'now()' });
      throw error;
    }
  }

  private async removeBatchOf(transaction: Transaction, connection: DeletedConnection): Promise<void> {
    for (const table of this.tables) {
      if (await table.removeBatch(transaction, connection.tenant_id, connection.id)) return;
    }
    await transaction.manager.delete(ConnectionEntity, keyOf(connection));
  }
}

const keyOf = ({ tenant_id, id }: DeletedConnection) => ({ tenant_id, id, deleted_at: Not(IsNull()) });
