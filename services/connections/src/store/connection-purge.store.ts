// What is left of deleted connections. Safe beside others that do the same, and after a death in the middle: a round is one
// transaction, and the row of the connection goes last.
import { statement, type Database, type Transaction } from '@kiln/platform';

/** Rows that belong to connections; each table that has some is removed by one of these. */
export interface ConnectionRemains {
  /** Removes some thousands of rows at most; true when there may be more. */
  removeSome(transaction: Transaction, tenantId: string, connectionId: string): Promise<boolean>;
}

interface DeletedConnection {
  tenant_id: string;
  id: string;
}

const next = statement(
  'connections.next_deleted',
  `select tenant_id, id from connections where deleted_at is not null
   order by deleted_at limit 1 for update skip locked`,
);
const forget = statement(
  'connections.forget',
  'delete from connections where tenant_id = $1 and id = $2 and deleted_at is not null',
);

/** Behind the others, so that one that can't be removed holds up none. */
const putLast = statement(
  'connections.purge_last',
  'update connections set deleted_at = now() where tenant_id = $1 and id = $2 and deleted_at is not null',
);

export class ConnectionPurgeStore {
  constructor(
    private readonly database: Pick<Database, 'transaction' | 'query'>,
    /** In the order in which they are removed. */
    private readonly remains: readonly ConnectionRemains[],
  ) {}

  /** One round; false when no deleted connection is left, or others see to those that are. */
  async purgeSome(): Promise<boolean> {
    let taken: DeletedConnection | undefined;
    try {
      return await this.database.transaction(async (transaction) => {
        [taken] = await transaction.query<DeletedConnection>(next);
        if (taken) await this.removeSomeOf(transaction, taken);
        return taken !== undefined;
      });
    } catch (error) {
      if (taken) await this.database.query(putLast, [taken.tenant_id, taken.id]);
      throw error;
    }
  }

  private async removeSomeOf(transaction: Transaction, { tenant_id, id }: DeletedConnection): Promise<void> {
    for (const part of this.remains) {
      if (await part.removeSome(transaction, tenant_id, id)) return;
    }
    await transaction.query(forget, [tenant_id, id]);
  }
}
