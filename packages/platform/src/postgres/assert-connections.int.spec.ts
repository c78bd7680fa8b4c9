// Real: Postgres. Faked: nothing.
import { createTestDatabase } from '@kiln/testing';
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { migrationsDirectory, openSampleDatabase } from '../fixtures/test-platform.js';
import { assertConnections } from './assert-connections.js';
import { migrateService } from './migrate.js';
import { statement } from './statement.js';

it('a pool is accepted up to the last connection that Postgres does not reserve, and refused beyond it', async () => {
  const created = await createTestDatabase();
  await migrateService({ service: 'sample', directory: migrationsDirectory({}), databaseUrl: created.url });
  const database = openSampleDatabase(created.url);
  try {
    const read = async (name: string) => {
      const [row] = await database.query<Record<string, string>>(statement(`test.${name}`, `show ${name}`));
      return Number(row?.[name]);
    };
    const accepted =
      (await read('max_connections')) -
      (await read('superuser_reserved_connections')) -
      (await read('reserved_connections'));
    assert.ok(accepted > 10, `${accepted}`);
    await assertConnections(database, accepted);
    await assert.rejects(assertConnections(database, accepted + 1), {
      message: `KILN_DATABASE_CONNECTIONS is ${accepted + 1}, but Postgres accepts ${accepted} connections in all. Lower it, or raise max_connections.`,
    });
  } finally {
    await database.close();
    await created.drop();
  }
});
