import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { testPostgres } from './infrastructure.js';

const TEST_TIMEOUT_MS = 180_000;
/** As long as a test may take: a statement or a connection of a spec fails with its test, however busy the machine is. */
export const TEST_DATABASE_TIMEOUTS = { statementTimeoutMs: TEST_TIMEOUT_MS, connectTimeoutMs: TEST_TIMEOUT_MS };

export interface TestDatabase {
  /** Connects as a superuser to an empty database that only the caller uses. */
  readonly url: string;
  /** Closes every connection to the database and drops it. */
  drop(): Promise<void>;
}

/** Creates an empty database: one per test file. Roles are shared by the whole server, so use unique role names. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = await testPostgres();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runStatement(serverUrl, `create database ${name} template template0`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => runStatement(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: TEST_TIMEOUT_MS,
    query_timeout: TEST_TIMEOUT_MS,
  });
  client.on('error', () => undefined); // A lost connection fails the next query.
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
}
