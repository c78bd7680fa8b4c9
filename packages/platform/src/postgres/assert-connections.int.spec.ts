// Real: Postgres. Faked: nothing.
import { expect, it } from '@jest/globals';
import { createTestDatabase } from '@kiln/testing';
import { openSampleDatabase } from '../fixtures/test-platform.js';
import { assertConnections } from './assert-connections.js';
import { migrateService } from './migrate.js';
import { statement } from './statement.js';

it('a pool may use all connections that Postgres does not reserve, and not more', async () => {
  const created = await createTestDatabase();
  await migrateService({ service: 'sample', migrations: [], databaseUrl: created.url });
  const database = await openSampleDatabase(created.url);
  try {
    const read = async (name: string) => {
      const [row] = await database.query<Record<string, string>>(statement(`test.${name}`, `show ${name}`));
      return Number(row?.[name]);
    };
    const accepted =
      (await read('max_connections')) -
      (await read('superuser_reserved_connections')) -
      (await read('reserved_connections'));
    expect(accepted).toBeGreaterThan(10);
    await assertConnections(database, accepted);
    await expect(assertConnections(database, accepted + 1)).rejects.toMatchObject({
      message: `KILN_DATABASE_CONNECTIONS is ${accepted + 1}, but Postgres accepts ${accepted} connections in all. Lower it, or raise max_connections.`,
    });
  } finally {
    await database.close();
    await created.drop();
  }
});
