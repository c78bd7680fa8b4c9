// A pool that exceeds the server's limit would fail only under load, so the process refuses to start. The launcher and the tests of
// the manifests check the sum of all pools.
import type { Database } from './database.js';
import { statement } from './statement.js';

/** `reserved_connections` exists since PostgreSQL 16. */
const accepted = statement(
  'platform.accepted_connections',
  `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
     - coalesce(current_setting('reserved_connections', true)::int, 0) as count`,
);

/** Throws unless the server accepts as many connections as this process may open. */
export async function assertConnections(database: Database, connectionsMax: number): Promise<void> {
  const [row] = await database.query<{ count: number }>(accepted);
  const count = row?.count ?? 0;
  if (connectionsMax <= count) return;
  throw new Error(
    `KILN_DATABASE_CONNECTIONS is ${connectionsMax}, but Postgres accepts ${count} connections in all. ` +
      `Lower it, or raise max_connections.`,
  );
}
