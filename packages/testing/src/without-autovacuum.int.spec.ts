// Real: Postgres. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from './database.js';
import { withoutAutovacuum } from './without-autovacuum.js';

describe('a database without autovacuum', () => {
  let created: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    created = await createTestDatabase();
    client = new Client({ connectionString: created.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await created.drop();
  });

  const sql = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows;

  it('has no table that autovacuum works on, partitions included, and no worker', async () => {
    await sql(`create table "Odd name" (id int);
               create table days (day int) partition by list (day);
               create table day_1 partition of days for values in (1)`);
    await withoutAutovacuum({ query: ({ text }) => sql(text) });
    const options =
      await sql(`select relname, reloptions from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
                               order by relname`);
    const off = ['autovacuum_enabled=false'];
    expect(options).toStrictEqual([
      { relname: 'Odd name', reloptions: off },
      { relname: 'day_1', reloptions: off },
    ]);
    // A worker that finds nothing to do in this database ends at once.
    await eventually(async () =>
      expect(
        await sql(
          `select 1 from pg_stat_activity where datname = current_database() and backend_type = 'autovacuum worker'`,
        ),
      ).toStrictEqual([]),
    );
  });
});
