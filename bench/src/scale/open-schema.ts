// A database with the migrated schema of one service: a pool as the service opens it, and a session that fills the tables.
import { Database, type DatabaseOptions } from '@kiln/platform';
import { createTestDatabase, migrateBuiltService } from '@kiln/testing';
import pg from 'pg';

/** Rollups of millions of facts are computed by one statement. */
const STATEMENT_TIMEOUT_MS = 3_600_000;

export async function openSchema(schema: string, options: Pick<DatabaseOptions, 'byIndex' | 'lookUps' | 'entities'>) {
  const created = await createTestDatabase();
  await migrateBuiltService(schema, created.url);
  const client = new pg.Client({
    connectionString: created.url,
    options: `-c search_path=${schema},public -c maintenance_work_mem=512MB`,
  });
  await client.connect();
  const database = await Database.open(
    { url: created.url, schema, ...options, connectionsMax: 4, statementTimeoutMs: STATEMENT_TIMEOUT_MS },
    () => undefined,
  );
  const close = async () => {
    await database.close();
    await client.end();
    await created.drop();
  };
  return { client, database, close };
}
