// Removes deleted connections. Several workers may run it, and a crash loses nothing: a batch is one transaction, and the row of the
// connection is removed last.
import { statement, type Database, type Transaction } from '@kiln/platform';

/** A table whose rows belong to connections. */
export interface DependentTable {
  /** Removes one batch of rows. True when more rows may remain. */
  removeBatch(transaction: Transaction, tenantId: string, connectionId: string): Promise<boolean>;
}

interface DeletedConnection {
  tenant_id: string;
  id: string;
}

const nextDeleted = statement(
  'connections.next_deleted',
  `select tenant_id, id from connections where deleted_at is not null
   order by deleted_at limit 1 for update skip locked`,
);
const removeConnection = statement(
  'connections.remove_deleted',
  'delete from connections where tenant_id = $1 and id = $2 and deleted_at is not null',
);

/** Moves the connection behind the others, so that one that cannot be removed does not delay them. */
const moveLast = statement(
  'connections.move_last',
  'update connections set deleted_at = now() where tenant_id = $1 and id = $2 and deleted_at is not null',
);

export class ConnectionPurgeStore {
  constructor(
    private readonly database: Pick<Database, 'transaction' | 'query'>,
    /** In the order of removal. */
    private readonly tables: readonly DependentTable[],
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
      if (taken) await this.database.query(moveLast, [taken.tenant_id, taken.id]);
      throw error;
    }
  }

  private async removeBatchOf(transaction: Transaction, { tenant_id, id }: DeletedConnection): Promise<void> {
    for (const table of this.tables) {
      if (await table.removeBatch(transaction, tenant_id, id)) return;
    }
    await transaction.query(removeConnection, [tenant_id, id]);
  }
}
