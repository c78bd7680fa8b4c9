// A pool that is larger than what the server accepts would fail only under load, so the process refuses to start instead. Whether
// the pools of all processes fit together is for those to check who know all of them: the launcher, and the manifests' tests.
import type { Database } from './database.js';
import { statement } from './statement.js';

/** `reserved_connections` is unknown to servers before PostgreSQL 16. */
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
