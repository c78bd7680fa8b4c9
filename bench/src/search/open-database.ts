// A database for the search service, and a separate connection that measures what a search costs.
import { Database } from '@kiln/platform';
import { entities } from '@kiln/search/entities';
import { createTestDatabase, migrateBuiltService } from '@kiln/testing';
import pg from 'pg';

export async function openDatabase() {
  const created = await createTestDatabase();
  await migrateBuiltService('search', created.url);
  const client = new pg.Client({ connectionString: created.url });
  await client.connect();
  const options = { url: created.url, schema: 'search', connectionsMax: 6, statementTimeoutMs: 60_000 };
  const database = await Database.open({ ...options, entities, lookUps: true }, () => undefined);
  /** Plans statements as the former service did. */
  const formerDatabase = await Database.open({ ...options, byIndex: true }, () => undefined);
  const close = async () => {
    await client.end();
    await database.close();
    await formerDatabase.close();
    await created.drop();
  };
  return { client, database, formerDatabase, close };
}

export type BenchDatabase = Awaited<ReturnType<typeof openDatabase>>;
