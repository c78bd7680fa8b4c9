// Real: Postgres. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { planNodes } from '@kiln/testing';
import { openSampleDatabase, startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import type { Statement } from '../postgres/statement.js';
import { claim, mark } from './relay.statements.js';

describe('the generic plans of the relay', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform();
  });
  afterAll(() => platform.stop());

  const sql = (text: string) => platform.database.query({ name: '', text });
  const analyze = () => sql('vacuum analyze outbox');
  const insert = (rows: number, publishedAt: string) =>
    sql(`insert into outbox (id, type, envelope, published_at)
         select gen_random_uuid(), 'x', repeat('x', 500), ${publishedAt} from generate_series(1, ${rows})`);

  /** Names of the indexes that the plan reads, and the types of other nodes that read a table. */
  const readsOf = ({ text }: Statement, types: string, values: string) =>
    platform.database.transaction(
      async (transaction) => {
        const run = <Row extends object>(command: string) => transaction.query<Row>({ name: '', text: command });
        await run('set local plan_cache_mode = force_generic_plan');
        await run(`prepare generic (${types}) as ${text}`);
        const nodes = planNodes(await run(`explain (format json) execute generic (${values})`));
        await run('deallocate generic');
        const leaves = nodes.filter(
          (node) => !node.Plans && (node['Index Name'] ?? node['Relation Name']) !== undefined,
        );
        return leaves.map((node) => node['Index Name'] ?? `${node['Node Type']} of ${node['Relation Name']}`).sort();
      },
      { byIndex: true },
    );

  const readByIndex = async () => {
    expect(await readsOf(claim, 'int', '500')).toStrictEqual(['outbox_unpublished']);
    expect(await readsOf(mark, 'bigint[]', `'{1,2}'`)).toStrictEqual(['outbox_pkey']);
  };

  it('use the index while the table is new or analyzed as empty', async () => {
    await readByIndex();
    await analyze();
    await readByIndex();
  });

  it('use the index while there are few rows, none of them published', async () => {
    await insert(10, 'null');
    await readByIndex();
    await analyze();
    await readByIndex();
  });

  it('use the index with many rows, whether analyzed or not', async () => {
    for (const publishedAt of ['null', 'now()']) {
      await sql('truncate outbox');
      await insert(20_000, publishedAt);
      await readByIndex();
      await analyze();
      await readByIndex();
    }
  });

  it('are not replanned in each round, even with many events to publish', async () => {
    await insert(20_000, 'null');
    await analyze();
    const database = await openSampleDatabase(platform.databaseUrl, { connectionsMax: 1 });
    for (let round = 1; round <= 12; round++) {
      await database.transaction(
        async (transaction) => {
          await transaction.query(claim, [500]);
          await transaction.query(mark, [[1, 2]]);
        },
        { byIndex: true },
      );
    }
    const plans = await database.query({
      name: '',
      text: `select name, custom_plans::int, generic_plans::int from pg_prepared_statements
             where name like 'platform.outbox%' order by name`,
    });
    await database.close();
    expect(plans).toStrictEqual([claim, mark].map(({ name }) => ({ name, custom_plans: 5, generic_plans: 7 })));
  });
});
