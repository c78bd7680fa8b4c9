// Real: Postgres; a table of rows that belong to connections, as nodes do. Faked: nothing.
import { statement } from '@kiln/platform';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { ConnectionPurgeStore, type ConnectionRemains } from '../store/connection-purge.store.js';
import { contextOf, startConnections, type ConnectionsHarness } from '../test/connections-harness.js';

const BATCH = 100;

const removeSome = statement(
  'test.remains',
  `with batch as (select ctid from remains where tenant_id = $1 and connection_id = $2 limit ${BATCH}),
   gone as (delete from remains where ctid in (select ctid from batch) returning 1)
   select count(*) as count from gone`,
);

const remains: ConnectionRemains = {
  removeSome: async (transaction, tenantId, connectionId) => {
    const [row] = await transaction.query<{ count: number }>(removeSome, [tenantId, connectionId]);
    return row?.count === BATCH;
  },
};

describe('what a deleted connection leaves behind', () => {
  let harness: ConnectionsHarness;
  before(async () => {
    harness = await startConnections({ remains: [remains] });
    await harness.sql('create table remains (tenant_id uuid, connection_id uuid)');
  });
  after(() => harness.close());

  const countOf = async (table: string) =>
    (await harness.sql<{ count: number }>(`select count(*) as count from ${table}`))[0]?.count;

  async function connectionWith(rows: number) {
    const tenantId = uuidv7();
    const { id } = await harness.create(tenantId, { provider: 's3', name: 'n', bucket: 'bucket' });
    await harness.sql(
      `insert into remains select tenant_id, id from connections, generate_series(1, ${rows}) where tenant_id = $1`,
      [tenantId],
    );
    return { tenantId, remove: () => harness.manage.remove({ id }, contextOf(tenantId)) };
  }

  it('goes in rounds, the row of the connection last, and nothing of others', async () => {
    const [gone, kept] = [await connectionWith(2 * BATCH + 1), await connectionWith(5)];
    await gone.remove();
    assert.equal(await harness.purges.purgeSome(), true);
    assert.deepEqual([await countOf('remains'), await countOf('connections')], [BATCH + 1 + 5, 2]);
    while (await harness.purges.purgeSome());
    assert.deepEqual([await countOf('remains'), await countOf('connections')], [5, 1]);
    await kept.remove();
    while (await harness.purges.purgeSome());
    assert.deepEqual([await countOf('remains'), await countOf('connections')], [0, 0]);
  });

  it('is not lost when a round dies: the next one goes on', async () => {
    const { remove } = await connectionWith(BATCH + 1);
    await remove();
    const dying = new ConnectionPurgeStore(harness.database, [
      {
        removeSome: async (...round) => {
          await remains.removeSome(...round);
          throw new Error('killed');
        },
      },
    ]);
    await assert.rejects(dying.purgeSome(), /killed/);
    assert.equal(await countOf('remains'), BATCH + 1);
    while (await harness.purges.purgeSome());
    assert.deepEqual([await countOf('remains'), await countOf('connections')], [0, 0]);
  });

  it('that can not be removed holds up no other', async () => {
    const [stuck, other] = [await connectionWith(1), await connectionWith(1)];
    await stuck.remove();
    await other.remove();
    const failing = new ConnectionPurgeStore(harness.database, [
      {
        removeSome: async (transaction, tenantId, connectionId) => {
          if (tenantId === stuck.tenantId) throw new Error('it can not be removed');
          return remains.removeSome(transaction, tenantId, connectionId);
        },
      },
    ]);
    await assert.rejects(failing.purgeSome(), /can not be removed/);
    assert.equal(await failing.purgeSome(), true);
    assert.deepEqual(await harness.sql('select tenant_id from connections'), [{ tenant_id: stuck.tenantId }]);
    while (await harness.purges.purgeSome());
  });
});
