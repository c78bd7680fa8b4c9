// Real: Postgres, and a table whose rows belong to connections, as nodes do. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startConnections, type ConnectionsHarness } from '../test/connections-harness.js';
import { ConnectionPurgeStore, type DependentTable } from './connection-purge.store.js';

const BATCH = 100;

const removeBatch = statement(
  'test.dependents',
  `with batch as (select ctid from dependents where tenant_id = $1 and connection_id = $2 limit ${BATCH}),
   gone as (delete from dependents where ctid in (select ctid from batch) returning 1)
   select count(*) as count from gone`,
);

const dependents: DependentTable = {
  removeBatch: async (transaction, tenantId, connectionId) => {
    const [row] = await transaction.query<{ count: number }>(removeBatch, [tenantId, connectionId]);
    return row?.count === BATCH;
  },
};

describe('rows of a deleted connection', () => {
  let harness: ConnectionsHarness;
  beforeAll(async () => {
    harness = await startConnections({ dependentTables: [dependents] });
    await harness.sql('create table dependents (tenant_id uuid, connection_id uuid)');
  });
  afterAll(() => harness.close());

  const countOf = async (table: string) =>
    (await harness.sql<{ count: number }>(`select count(*) as count from ${table}`))[0]?.count;

  async function connectionWith(rows: number) {
    const tenantId = uuidv7();
    const { id } = await harness.create(tenantId, { provider: 's3', name: 'n', bucket: 'bucket' });
    await harness.sql(
      `insert into dependents select tenant_id, id from connections, generate_series(1, ${rows}) where tenant_id = $1`,
      [tenantId],
    );
    return { tenantId, remove: () => harness.manage.remove({ id }, contextOf(tenantId)) };
  }

  it('are removed in batches, the connection last; rows of other connections stay', async () => {
    const [gone, kept] = [await connectionWith(2 * BATCH + 1), await connectionWith(5)];
    await gone.remove();
    expect(await harness.purges.purgeBatch()).toBe(true);
    expect([await countOf('dependents'), await countOf('connections')]).toStrictEqual([BATCH + 1 + 5, 2]);
    while (await harness.purges.purgeBatch());
    expect([await countOf('dependents'), await countOf('connections')]).toStrictEqual([5, 1]);
    await kept.remove();
    while (await harness.purges.purgeBatch());
    expect([await countOf('dependents'), await countOf('connections')]).toStrictEqual([0, 0]);
  });

  it('are removed by the next round when a round fails', async () => {
    const { remove } = await connectionWith(BATCH + 1);
    await remove();
    const dying = new ConnectionPurgeStore(harness.database, [
      {
        removeBatch: async (...round) => {
          await dependents.removeBatch(...round);
          throw new Error('killed');
        },
      },
    ]);
    await expect(dying.purgeBatch()).rejects.toThrow(/killed/);
    expect(await countOf('dependents')).toBe(BATCH + 1);
    while (await harness.purges.purgeBatch());
    expect([await countOf('dependents'), await countOf('connections')]).toStrictEqual([0, 0]);
  });

  it('that cannot be removed do not delay other connections', async () => {
    const [stuck, other] = [await connectionWith(1), await connectionWith(1)];
    await stuck.remove();
    await other.remove();
    const failing = new ConnectionPurgeStore(harness.database, [
      {
        removeBatch: async (transaction, tenantId, connectionId) => {
          if (tenantId === stuck.tenantId) throw new Error('it cannot be removed');
          return dependents.removeBatch(transaction, tenantId, connectionId);
        },
      },
    ]);
    await expect(failing.purgeBatch()).rejects.toThrow(/cannot be removed/);
    expect(await failing.purgeBatch()).toBe(true);
    expect(await harness.sql('select tenant_id from connections')).toStrictEqual([{ tenant_id: stuck.tenantId }]);
    while (await harness.purges.purgeBatch());
  });
});
